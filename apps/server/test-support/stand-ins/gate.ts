import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands in front of a service and keeps some of its requests waiting, for tests of what happens meanwhile. */
export interface Gate {
  readonly url: string
  /** From now on requests whose address contains this text wait. */
  hold(part: string): void
  /** Lets all go on, and holds no more. */
  release(): void
  waiting(): number
  close(): Promise<void>
}

export async function startGate(target: string): Promise<Gate> {
  let held: string | undefined
  let released = Promise.withResolvers<void>()
  let waiting = 0
  const pass = async (address: string, outgoing: ServerResponse): Promise<void> => {
    if (held !== undefined && address.includes(held)) {
      waiting++
      await released.promise
      waiting--
    }
    const answer = await fetch(target + address, { headers: { accept: 'application/json' } })
    outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
    outgoing.end(await answer.text())
  }
  // The service may be gone by the time a request is let through; its client has disconnected by then.
  const server = createServer((incoming, outgoing) => {
    pass(incoming.url ?? '/', outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    hold: (part) => {
      held = part
    },
    release: () => {
      held = undefined
      released.resolve()
      released = Promise.withResolvers()
    },
    waiting: () => waiting,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
