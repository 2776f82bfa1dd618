import type { ErrorAnswer } from '@tradewright/contract/answers'
import type { ConnectionError } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'

const REFUSALS: Readonly<Record<string, readonly [status: string, code: string, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'request.headers',
    'The address or the headers of the request are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request.time', 'The request did not arrive in time.'],
}
const NOT_HTTP = ['400 Bad Request', 'request.http', 'The request is not valid HTTP.'] as const

/**
 * Answers what Node.js could not read as a request. The connection is closed, and the answer says so: a client that
 * keeps it would lose its next request. An answer to HEAD has no body, which a client would take for the next answer.
 */
export function answerUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, code, sentence] = REFUSALS[error.code] ?? NOT_HTTP
  const answer: ErrorAnswer = { success: false, error: sentence, message: sentence, code, request_id: randomUUID() }
  const body = JSON.stringify(answer)
  const head = [
    `HTTP/1.1 ${status}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    '\r\n',
  ].join('\r\n')
  // Declared as its JSON, but a Buffer.
  const packet = error.rawPacket as unknown as Buffer | undefined
  const isHead = packet?.toString('latin1', 0, 5) === 'HEAD '
  if (socket.writable) socket.end(isHead ? head : head + body)
  else socket.destroy()
}
