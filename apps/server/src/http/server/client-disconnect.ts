import { Problem } from '@tradewright/core/problem'
import type { FastifyReply } from 'fastify'

/** Aborted when the connection closes before the answer was sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => {
    if (raw.writableFinished) return
    left.abort(new Problem('conflict', 'call.left', 'The client disconnected.'))
  })
  return left.signal
}
