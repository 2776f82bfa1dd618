import { createServer, type AddressInfo } from 'node:net'

/** A port of this machine that is free, or was a moment ago: for programs told their port beforehand. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
