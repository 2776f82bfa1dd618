import { Decimal } from '@tradewright/core/decimal'
import { type Usd, usd } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import type { TradableAsset } from '../trading/broker.ts'
import { REOPENING_PART } from '../trading/client-order-id.ts'
import type { SizedOrder } from './sized-order.ts'

/** What an account allows of short positions. */
export interface Shorting {
  readonly isAllowed: boolean
  /** The account's buying power at the broker, which a short sale needs as a purchase does. */
  readonly buyingPower: Usd
  /** What others in the account own of a ticker, negative where they are short of it: a broker holds one position. */
  readonly heldByOthers: (ticker: string) => Decimal
}

/** What would bring a position to its target weight. */
export interface Trade {
  readonly ticker: string
  /** Negative: to sell. */
  readonly quantity: number
  readonly price: Usd
  readonly held: Decimal
  readonly weight: number
}

type ShortNote = Note<'not-shortable' | 'held-otherwise' | 'insufficient-buying-power'>

interface Shorts {
  readonly orders: readonly SizedOrder[]
  readonly notes: readonly ShortNote[]
}

/** Brokers check a short sale at a price above the ask: at Alpaca 3 %. */
const BUYING_POWER_SHARE = Decimal.parse('1.03')

/** Rounding of floats is no share. */
const FLOAT_ROUNDING = 1e-6

/** Borrowed shares are whole ones, and never more than the weight asks for. */
const targetShares = ({ held, quantity }: Trade): Decimal =>
  Decimal.fromNumber(Math.floor(Math.max(0, -(held.toNumber() + quantity)) + FLOAT_ROUNDING))

const warning = (code: ShortNote['code'], sentence: string): ShortNote => ({ code, level: 'warning', sentence })

/** Sales of borrowed shares: of a ticker that is not held, or more of one that is short already. */
export function shortSales(
  trades: readonly Trade[],
  assetOf: (ticker: string) => TradableAsset | undefined,
  shorting: Shorting | undefined,
  how: Pick<SizedOrder, 'sending'> = {},
): Shorts {
  const notes: ShortNote[] = []
  const orders = trades.flatMap((trade): SizedOrder[] => {
    const { ticker, held, weight, price } = trade
    if (held.isPositive || weight >= 0) return []
    const quantity = targetShares(trade).minus(held.absolute())
    if (!quantity.isPositive) return []
    const refusal = refusalOf(ticker, assetOf(ticker), shorting)
    if (refusal) notes.push(refusal)
    return refusal
      ? []
      : [{ ticker, side: 'sell', size: { quantity }, estimatedValue: quantity.times(price), isShort: true, ...how }]
  })
  const needed = orders.reduce((sum, { estimatedValue }) => sum.plus(estimatedValue), Decimal.zero)
  if (!shorting?.buyingPower.isBelow(needed.times(BUYING_POWER_SHARE))) return { orders, notes }
  const sentence =
    `Insufficient buying power: short sales of ${usd(needed)} need ${usd(needed.times(BUYING_POWER_SHARE))}, and the ` +
    `account has ${usd(shorting.buyingPower)}. Nothing is sold short.`
  return { orders: [], notes: [...notes, { code: 'insufficient-buying-power', level: 'error', sentence }] }
}

function refusalOf(ticker: string, asset: TradableAsset | undefined, shorting: Shorting | undefined) {
  if (!shorting?.isAllowed)
    return warning('not-shortable', `${ticker} is not sold short: the account allows no short positions.`)
  if (!asset?.isTradable || !asset.isShortable)
    return warning('not-shortable', `${ticker} is not sold short: the broker has none to lend now.`)
  if (shorting.heldByOthers(ticker).isPositive)
    return warning(
      'held-otherwise',
      `${ticker} is not sold short: the account holds shares of it outside of this deployment, and the broker would sell those.`,
    )
  return undefined
}

/** Before shares of a ticker are bought that the slice is short of, those that it owes are bought back, all of them. */
export const coversBeforePurchase = (trades: readonly Trade[]): SizedOrder[] =>
  trades.flatMap(({ ticker, held, weight, price }) =>
    held.isNegative && weight > 0
      ? [
          {
            ticker,
            side: 'buy',
            size: { quantity: held.absolute() },
            estimatedValue: held.absolute().times(price),
            isShort: true,
            sending: { type: 'market', part: REOPENING_PART },
          },
        ]
      : [],
  )

/** Purchases that make a short position smaller. One that is no longer wanted is bought back to the last share. */
export const covers = (trades: readonly Trade[]): SizedOrder[] =>
  trades.flatMap((trade) => {
    const { ticker, held, weight, price } = trade
    if (!held.isNegative || weight > 0) return []
    const kept = weight === 0 ? Decimal.zero : targetShares(trade)
    const quantity = held.absolute().minus(kept)
    return quantity.isPositive
      ? [{ ticker, side: 'buy', size: { quantity }, estimatedValue: quantity.times(price), isShort: true }]
      : []
  })

/** The short sales of tickers that this decision has sold out of: one order does not go from a long position to a short one. */
export function reopenedShorts(
  trades: readonly Trade[],
  assetOf: (ticker: string) => TradableAsset | undefined,
  shorting: Shorting | undefined,
  closed: ReadonlySet<string>,
): Shorts {
  const flat = trades.filter(({ ticker, held }) => held.isZero && closed.has(ticker))
  return shortSales(flat, assetOf, shorting, { sending: { type: 'market', part: REOPENING_PART } })
}
