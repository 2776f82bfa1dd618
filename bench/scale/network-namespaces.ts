import { execFileSync } from 'node:child_process'

/** A bridge on this machine and namespaces on it: processes in them share a processor and a disk, but no loopback. */
interface Network {
  /** The address of this machine as the namespaces see it. */
  readonly hostAddress: string
  readonly namespaces: readonly { readonly name: string; readonly address: string }[]
  close(): void
}

const BRIDGE = 'twscale0'
const SUBNET = '10.213.77'

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })

/** Needs root, and `ip` of iproute2. */
export function openNetwork(count: number): Network {
  const names = Array.from({ length: count }, (_, i) => `twscale-${i + 1}`)
  const close = () => {
    for (const [i, name] of names.entries()) {
      // A process that was left running keeps its namespace, and with it the link.
      quietly('link', 'del', `twscale-o${i + 1}`)
      quietly('netns', 'del', name)
    }
    quietly('link', 'del', BRIDGE)
  }
  close()
  try {
    ip('link', 'add', BRIDGE, 'type', 'bridge')
    ip('addr', 'add', `${SUBNET}.1/24`, 'dev', BRIDGE)
    ip('link', 'set', BRIDGE, 'up')
    const namespaces = names.map((name, i) => {
      const address = `${SUBNET}.${i + 2}`
      const [outside, inside] = [`twscale-o${i + 1}`, `twscale-i${i + 1}`]
      ip('netns', 'add', name)
      ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside)
      ip('link', 'set', outside, 'master', BRIDGE, 'up')
      ip('link', 'set', inside, 'netns', name)
      ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', inside)
      ip('-n', name, 'link', 'set', inside, 'up')
      ip('-n', name, 'link', 'set', 'lo', 'up')
      return { name, address }
    })
    return { hostAddress: `${SUBNET}.1`, namespaces, close }
  } catch (error) {
    close()
    throw new Error(`Network namespaces need root and iproute2: ${(error as Error).message}`, { cause: error })
  }
}

function quietly(...args: string[]): void {
  try {
    ip(...args)
  } catch {
    // It is not there.
  }
}
