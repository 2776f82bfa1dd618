import { Problem } from '@tradewright/core/problem'
import type { FastifyReply } from 'fastify'

/** Reserves a place for an answer, until it is sent or its reader has gone. Throws a Problem where there is none. */
type ReservePlace = (reader: number | string, reply: Pick<FastifyReply, 'raw'>) => void

/** Places for answers that take much memory: so many of one reader, and of all together, are worked on or sent at once. */
export function readingPlaces({ each, all }: { readonly each: number; readonly all: number }): ReservePlace {
  const taken = new Map<number | string, number>()
  let total = 0
  return (reader, { raw }) => {
    const own = taken.get(reader) ?? 0
    if (own >= each || total >= all) throw occupied()
    taken.set(reader, own + 1)
    total += 1
    let isTaken = true
    const release = () => {
      if (!isTaken) return
      isTaken = false
      total -= 1
      const left = taken.get(reader)! - 1
      if (left > 0) taken.set(reader, left)
      else taken.delete(reader)
    }
    raw.once('finish', release).once('close', release)
  }
}

const occupied = () =>
  new Problem('limited', 'answer.places', 'Many results are being read at the moment. Please try again shortly.', {
    retryAfterSeconds: 5,
  })
