import { createHash } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** One connection, as the server sees it. Short messages are all it understands. */
export interface StandInSocket {
  send(message: string | Buffer): void
  /** Breaks the line without a word. */
  cut(): void
}

/** RFC 6455. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TEXT = 0x81
const BINARY = 0x82
const CLOSE = 0x8

/** Lets a loopback server speak WebSocket below one path; `onText` receives whole messages. */
export function acceptWebSockets(
  server: Server,
  path: string,
  onOpen: (socket: StandInSocket) => (text: string) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    if (request.url !== path) {
      stream.destroy()
      return
    }
    const key = String(request.headers['sec-websocket-key'])
    const accept = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64')
    const answer = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    stream.write(`${[...answer, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`)
    stream.on('error', () => stream.destroy())
    const onText = onOpen({
      send: (message) => stream.write(frameOf(message)),
      cut: () => stream.destroy(),
    })
    let waiting = Buffer.alloc(0)
    stream.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk])
      for (let frame = readFrame(waiting); frame; frame = readFrame(waiting)) {
        waiting = waiting.subarray(frame.length)
        if (frame.opcode === CLOSE) stream.end(frameOf(Buffer.alloc(0), 0x80 | CLOSE))
        else onText(frame.text)
      }
    })
  })
}

function frameOf(message: string | Buffer, head = typeof message === 'string' ? TEXT : BINARY): Buffer {
  const payload = Buffer.from(message)
  const length =
    payload.length < 126 ? Buffer.from([payload.length]) : Buffer.from([126, payload.length >> 8, payload.length & 255])
  return Buffer.concat([Buffer.from([head]), length, payload])
}

/** Clients mask what they send. */
function readFrame(buffer: Buffer): { opcode: number; text: string; length: number } | undefined {
  if (buffer.length < 2) return undefined
  const isLong = (buffer[1]! & 127) === 126
  const start = isLong ? 4 : 2
  if (buffer.length < start + 4) return undefined
  const size = isLong ? buffer.readUInt16BE(2) : buffer[1]! & 127
  const length = start + 4 + size
  if (buffer.length < length) return undefined
  const mask = buffer.subarray(start, start + 4)
  const payload = buffer.subarray(start + 4, length).map((byte, i) => byte ^ mask[i % 4]!)
  return { opcode: buffer[0]! & 15, text: Buffer.from(payload).toString(), length }
}
