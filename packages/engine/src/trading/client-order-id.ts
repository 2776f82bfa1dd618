import type { UtcMillis } from '@tradewright/core/time'

/** Sales come first and pay for the purchases; a decision sends each part of a symbol and leg once. */
type OrderLeg = 'sell' | 'buy'

const PREFIX = 'tw'
const OURS = /^tw-([a-z0-9]+)-([a-z0-9]+)-(.+)-([sb])(\d+|m)?$/

/** Orders of one decision, ticker and leg: slices are counted from 1, `m` is the rest of a limit order at the market. */
export type OrderPart = number | 'm'

/** The part of an order that goes on beyond zero, from a long position to a short one or back. No order has as many slices. */
export const REOPENING_PART = 1000

/**
 * The id under which an order is known before it exists: the same decision made again, in this process, after a crash
 * or in another one, gives the same id, and a broker takes an id once. `deploymentKey` is random, so that ids of two
 * installations on one brokerage account never collide.
 */
export function clientOrderId(
  deploymentKey: string,
  decidedFor: UtcMillis,
  ticker: string,
  leg: OrderLeg,
  part: OrderPart = 1,
): string {
  const suffix = `${leg === 'sell' ? 's' : 'b'}${part === 1 ? '' : part}`
  return `${PREFIX}-${deploymentKey}-${decidedFor.toString(36)}-${ticker}-${suffix}`
}

/** The same for a trade with another deployment of the account, of which a broker never hears. */
export const nettedOrderId = (
  deploymentKey: string,
  decidedFor: UtcMillis,
  ticker: string,
  leg: OrderLeg,
  otherDeploymentId: number,
): string => `${clientOrderId(deploymentKey, decidedFor, ticker, leg)}-with-${otherDeploymentId}`

interface OrderIdParts {
  readonly deploymentKey: string
  readonly decidedFor: UtcMillis
  readonly ticker: string
  readonly leg: OrderLeg
  readonly part: OrderPart
}

/** What an id says; undefined for an order that is none of ours. */
export function readClientOrderId(orderId: string): OrderIdParts | undefined {
  const [, deploymentKey, instant, ticker, leg, suffix = '1'] = OURS.exec(orderId) ?? []
  if (deploymentKey === undefined || instant === undefined || ticker === undefined) return undefined
  const decidedFor = Number.parseInt(instant, 36)
  const part = suffix === 'm' ? suffix : Number(suffix)
  return { deploymentKey, decidedFor, ticker, leg: leg === 's' ? 'sell' : 'buy', part }
}

/** The instant of the decision that an order belongs to; undefined for an order that is none of ours. */
export const decidedForOf = (orderId: string): UtcMillis | undefined => readClientOrderId(orderId)?.decidedFor

/** The deployment that an order at the broker belongs to; undefined for an order that is none of ours. */
export const deploymentKeyOf = (orderId: string): string | undefined => readClientOrderId(orderId)?.deploymentKey
