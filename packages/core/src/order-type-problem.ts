import { type BrokerId, brokerOf } from './broker-catalogue.ts'
import { isAuction, type OrderTypeId, orderTypes } from './order-types.ts'
import { tickerKind } from './ticker-kind.ts'

/** The last minutes before the close in which brokers take no orders for its auction, and some to decide and send. */
const MIN_MINUTES_BEFORE_CLOSE = 15

interface OrderTypeQuestion {
  readonly broker: BrokerId
  readonly type: OrderTypeId
  /** Everything that may be traded. */
  readonly tickers: readonly string[]
  readonly frequency: 'continuous' | 'end_of_day'
  readonly minutesBeforeClose: number
}

/**
 * What a new deployment sends unless its user says otherwise: a price collar where the broker has quotes and takes it. The
 * built-in accounts fill at the price that is known, around which a collar holds nothing.
 */
export function newOrderType(broker: BrokerId, tickers: readonly string[]): OrderTypeId {
  const hasCoins = tickers.some((ticker) => tickerKind(ticker) === 'crypto')
  const { orderTypes: takes, credentials } = brokerOf(broker)
  const takesCollar = takes.security.includes('collar') && (!hasCoins || takes.crypto.includes('collar'))
  return takesCollar && credentials !== 'none' ? 'collar' : 'market'
}

const labelOf = (type: OrderTypeId): string => orderTypes.find(({ id }) => id === type)!.label

/** Why a deployment cannot have this order type, as a sentence; undefined where it can. */
export function orderTypeProblem(asked: OrderTypeQuestion): string | undefined {
  const { broker, type, tickers, frequency, minutesBeforeClose } = asked
  const { name, orderTypes: takes } = brokerOf(broker)
  const label = labelOf(type)
  const coin = tickers.find((ticker) => tickerKind(ticker) === 'crypto')
  if (isAuction(type) && coin) return `${label}: ${coin} trades around the clock and has no auction.`
  if (coin && !takes.crypto.includes(type)) return `${label}: ${name} does not take it for coins such as ${coin}.`
  if (!takes.security.includes(type)) return `${label}: ${name} does not take it.`
  if (isAuction(type) && frequency !== 'end_of_day')
    return `${label}: the schedule must be end of day, since the next check would cancel the order.`
  if (type === 'on_close' && minutesBeforeClose < MIN_MINUTES_BEFORE_CLOSE)
    return `${label}: orders for the closing auction are taken until 10 minutes before it, so decide at least ${MIN_MINUTES_BEFORE_CLOSE} minutes before the close.`
  return undefined
}
