import { createHash } from 'node:crypto'
import { clientOrderId, type OrderPart, readClientOrderId } from '@tradewright/engine/trading/client-order-id'
import type { OrderSide } from '@tradewright/engine/trading/order'

/**
 * Our id as an exchange takes it: as it is where it fits, else packed into a UUID, the form that every exchange takes.
 * 122 free bits hold the deployment's key (48), the instant of the decision (42), the side (1), the part of the order (7)
 * and some of the ticker's hash (24), so that the id of an order can be read back from the order alone, after a restart as
 * well.
 */
export function toExchangeId(ours: string, maxLength: number): string {
  if (ours.length <= maxLength) return ours
  const parts = readClientOrderId(ours)
  return parts && isPackable(parts) ? packed(parts) : hashed(ours)
}

/** Ours again, from an id of the exchange and the order that has it. An order of another program keeps its own id. */
export function toClientOrderId(sent: string, ticker: string, side: OrderSide): string {
  const bits = bitsOf(sent)
  if (bits === undefined) return sent
  const deploymentKey = (bits >> 74n).toString(16).padStart(12, '0')
  const decidedFor = Number((bits >> 32n) & mask(42))
  const part = partOf(Number((bits >> 24n) & mask(7)))
  const parts = { deploymentKey, decidedFor, ticker, leg: side, part }
  return packed(parts) === sent ? clientOrderId(deploymentKey, decidedFor, ticker, side, part) : sent
}

interface Parts {
  readonly deploymentKey: string
  readonly decidedFor: number
  readonly ticker: string
  readonly leg: OrderSide
  readonly part: OrderPart
}

const mask = (bits: number): bigint => (1n << BigInt(bits)) - 1n
/** Stands for the rest of a limit order; slices are fewer. */
const REST = 127
const numberOf = (part: OrderPart): number => (part === 'm' ? REST : part)
const partOf = (number: number): OrderPart => (number === REST ? 'm' : number)

const isPackable = ({ deploymentKey, part }: Parts): boolean =>
  /^[0-9a-f]{12}$/.test(deploymentKey) && (part === 'm' || part < REST)

function packed({ deploymentKey, decidedFor, ticker, leg, part }: Parts): string {
  const order = ((leg === 'sell' ? 1n : 0n) << 31n) | (BigInt(numberOf(part)) << 24n) | (hashBits(ticker) & mask(24))
  const instant = BigInt(decidedFor) & mask(42)
  return uuidOf((BigInt(`0x${deploymentKey}`) << 74n) | (instant << 32n) | order)
}

/** Ids that are not of our form, which only tests and other programs have: they are not read back. */
const hashed = (ours: string): string => uuidOf(hashBits(ours) & mask(122))

const hashBits = (text: string): bigint => BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)

/** A UUID of version 4, whose version and variant take six of its 128 bits. */
function uuidOf(bits: bigint): string {
  const high = bits >> 74n
  const middle = (bits >> 62n) & mask(12)
  const low = bits & mask(62)
  const hex = ((high << 80n) | (4n << 76n) | (middle << 64n) | (2n << 62n) | low).toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function bitsOf(uuid: string): bigint | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid)) return undefined
  const all = BigInt(`0x${uuid.replaceAll('-', '')}`)
  return ((all >> 80n) << 74n) | (((all >> 64n) & mask(12)) << 62n) | (all & mask(62))
}
