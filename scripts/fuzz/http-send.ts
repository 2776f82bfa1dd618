import { Agent, request as httpRequest } from 'node:http'
import type { Send, WireAnswer, WireRequest } from '../../apps/server/test-support/fuzz/wire.ts'

const TIMEOUT_MS = 30_000
/** A stream of events has no end: what comes in this time is its answer. */
const STREAM_MS = 300

/** Sends over kept connections. A lost connection or 30 s of silence is an answer of status 0. */
export function httpSend(base: string, connections: number): { send: Send; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(base)
  const send = ({ method, url, headers, payload }: WireRequest, isRepeated = false): Promise<WireAnswer> =>
    new Promise((resolve) => {
      const begun = performance.now()
      const body = payload === undefined ? {} : { payload }
      const chunks: Buffer[] = []
      const end = (status: number, answered: WireAnswer['headers'], body = Buffer.concat(chunks).toString()) =>
        resolve({ status, headers: answered, body, milliseconds: performance.now() - begun })
      const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
      const options = { agent, hostname, port, method, path: url, headers: { ...headers, ...length } }
      const outgoing = httpRequest(options, (answer) => {
        const { statusCode = 0, headers: answered } = answer
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => end(statusCode, answered))
        answer.on('error', (error) => end(0, {}, error.message))
        if (answered['content-type']?.startsWith('text/event-stream')) {
          setTimeout(() => {
            end(statusCode, answered)
            answer.destroy()
          }, STREAM_MS)
        }
      })
      outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)))
      outgoing.on('error', (error) => {
        // The server may close a kept connection at the moment it is used again: as browsers do, ask once more.
        if (outgoing.reusedSocket && !isRepeated) resolve(send({ method, url, headers, ...body }, true))
        else end(0, {}, error.message)
      })
      outgoing.end(payload)
    })
  return { send: (request) => send(request), close: () => agent.destroy() }
}
