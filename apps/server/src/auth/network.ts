import { isIPv6 } from 'node:net'

const IPV4_INSIDE_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The part of an address that one visitor cannot change at will: an IPv4 address, or the first half of an IPv6
 * address, whose second half every machine chooses itself.
 */
export function network(address: string): string {
  const plain = IPV4_INSIDE_IPV6.exec(address)?.[1] ?? address
  if (!isIPv6(plain)) return plain
  const [front = '', back] = plain.split('%', 1)[0]!.split('::')
  const head = front === '' ? [] : front.split(':')
  const tail = back === undefined || back === '' ? [] : back.split(':')
  const zeros = back === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

export function isLoopback(address: string): boolean {
  return address === '::1' || network(address).startsWith('127.')
}
