import { BlockList, isIP, isIPv4 } from 'node:net'

/** Everything in IPv4 that is not an ordinary address of the internet (IANA special-purpose registry). */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure's platform service, which looks like any other address.
  ['168.63.129.16', 32],
]

const special = new BlockList()
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4')
// Inside 2000::/3: IETF protocols with Teredo, documentation, and 6to4, which can hide a private IPv4 address.
special.addSubnet('2001::', 23, 'ipv6')
special.addSubnet('2001:db8::', 32, 'ipv6')
special.addSubnet('2002::', 16, 'ipv6')
special.addSubnet('3fff::', 20, 'ipv6')

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an address may be called on behalf of a user who chose it: only ordinary public ones. Loopback, private,
 * link-local (with the metadata services of clouds), carrier, multicast and translated addresses are not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  if (isIP(address) !== 6 || address.includes('%')) return false
  // Mapped IPv4 (::ffff:10.0.0.1) lies outside 2000::/3 as well: nobody needs it to reach a public host.
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
