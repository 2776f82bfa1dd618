import { lookup as systemLookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

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
  // Mapped IPv4 (::ffff:10.0.0.1) lies outside 2000::/3 as well: no public host needs it.
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface GuardOptions {
  /** Which addresses may be connected to; by default only public ones. */
  readonly isAllowed?: (address: string) => boolean
  readonly resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>
}

/** A host that a user entered and that this server does not call. Thrown before any connection is opened. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Decides which hosts that users enter may be called. Everything that opens such a connection takes one. */
export interface AddressGuard {
  /** Throws for an address that may not be called. Sockets look up names only, so this is asked for before. */
  assertAllowed(host: string): void
  /** The same for a name as well, where a driver would hide the refusal. A name that cannot be resolved passes. */
  assertHost(host: string): Promise<void>
  /**
   * For sockets. Resolves a name once and hands over what was checked, so the address that was checked is the one that
   * is connected to, whatever the name server says the next time. One address that is not allowed refuses the name.
   */
  readonly lookup: LookupFunction
}

export function addressGuard(options: GuardOptions = {}): AddressGuard {
  const { isAllowed = isPublicAddress, resolve = (hostname) => resolveName(hostname) } = options

  async function checkedAddresses(hostname: string): Promise<readonly ResolvedAddress[]> {
    const addresses = await resolve(hostname)
    if (addresses.length === 0) throw Object.assign(new Error('the host name has no address'), { code: 'ENOTFOUND' })
    if (!addresses.every(({ address }) => isAllowed(address))) throw refusalOf(hostname)
    return addresses
  }

  function assertAllowed(host: string): void {
    const literal = host.replace(/^\[(.*)\]$/, '$1')
    if (isIP(literal) !== 0 && !isAllowed(literal)) throw refusalOf(literal)
  }

  return {
    assertAllowed,
    async assertHost(host) {
      assertAllowed(host)
      if (isIP(host) !== 0) return
      try {
        await checkedAddresses(host)
      } catch (error) {
        if (error instanceof AddressRefused) throw error
      }
    },
    lookup(hostname, { all }, callback) {
      checkedAddresses(hostname).then(
        (addresses) => {
          if (all) callback(null, [...addresses])
          else callback(null, addresses[0]!.address, addresses[0]!.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      )
    },
  }
}

const nameServers = new Resolver({ timeout: 2_000, tries: 2 })

/**
 * Asks the name servers without a thread of the process: names that get no answer would hold all of them, and with them
 * the lookups of everything else. Only a name that no server knows is looked up by the system, which has a file of its own.
 */
export async function resolveName(
  hostname: string,
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = nameServers,
): Promise<readonly ResolvedAddress[]> {
  if (hostname === 'localhost') return systemLookup(hostname, { all: true })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (found.length > 0) return found
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
  const isMute = (error: Error) => (error as NodeJS.ErrnoException).code === 'ETIMEOUT'
  if (failures.some(isMute)) throw failures.find(isMute)!
  return systemLookup(hostname, { all: true })
}

const refusalOf = (host: string) =>
  new AddressRefused(`${host} is a private or reserved address, which this server does not call`)

/** Drivers hide the guard's refusal in causes. */
export function refusalIn(error: unknown): AddressRefused | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof AddressRefused) return inner
    const first: unknown = inner instanceof AggregateError ? inner.errors[0] : undefined
    if (first instanceof AddressRefused) return first
  }
  return undefined
}
