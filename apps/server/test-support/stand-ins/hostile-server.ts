import { createServer, type Socket } from 'node:net'

/**
 * A peer's attacks on a caller that trusts it: accept and say nothing, answer a byte at a time without end, or send
 * without end as fast as it is read.
 */
export type Hostility = 'silent' | 'dripping' | 'endless'

export interface HostileServer {
  readonly port: number
  readonly url: string
  close(): Promise<void>
}

const CHUNK = Buffer.alloc(64 * 1024, 'x')
const DRIP_MS = 10

/** On loopback. `head` is sent before the drops or the flood begin, so that they are a body of the protocol. */
export async function startHostileServer(hostility: Hostility, head: string | Buffer): Promise<HostileServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const timers: NodeJS.Timeout[] = []
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      timers.forEach((timer) => clearInterval(timer))
    })
    if (hostility === 'silent') return
    socket.once('data', () => {
      socket.write(head)
      if (hostility === 'dripping') timers.push(setInterval(() => socket.write('x'), DRIP_MS))
      else pour(socket)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  }
}

function pour(socket: Socket): void {
  while (!socket.destroyed && socket.write(CHUNK));
  socket.once('drain', () => pour(socket))
}

/** The head of an HTTP answer whose body has no end. */
export const httpHead = (type = 'application/xml', status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\n`
