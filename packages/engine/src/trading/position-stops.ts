/**
 * A stop of every position, the same for a backtest and for live trading: how far a price may fall (of a short position:
 * rise) before the position is closed.
 */

import type { StopType } from '@tradewright/core/backtest-settings'
import type { Column } from '@tradewright/core/column'
import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { type EntryType, type Leg, partyOf, USD } from './ledger/entry.ts'
import type { PriceTable } from './price-table.ts'

export interface StopRule {
  /** `fixed`: from the average price that was paid. `trailing`: from the best price since the position was opened. */
  readonly type: StopType
  /** More than 0 and less than 100. */
  readonly pct: number
}

/** What a stop knows of its position. */
interface StoppedPosition {
  readonly isShort: boolean
  /** Average price of the shares that are held. */
  readonly entry: number
  /** The highest price since it was opened; of a short position the lowest. */
  readonly best: number
}

/** At this price or a worse one the position is closed. */
export function stopPrice({ type, pct }: StopRule, { isShort, entry, best }: StoppedPosition): number {
  return (type === 'fixed' ? entry : best) * (1 + (isShort ? pct : -pct) / 100)
}

type StopPrices = Pick<PriceTable, 'open' | 'high' | 'low' | 'close'>

/** Prices of a bar; what is not known is not a number. */
interface StopBar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/**
 * What a bar closes a position at: its open where it begins beyond the stop, else the stop where it gets there. Undefined
 * where it does not. A bar of closes alone is judged by its close.
 */
export function stopFill(stop: number, { open, high, low, close }: StopBar, isShort: boolean): number | undefined {
  const isBeyond = (price: number) => (isShort ? price >= stop : price <= stop)
  if (isBeyond(open)) return open
  if (isBeyond(isShort ? high : low)) return stop
  return isBeyond(close) ? (Number.isNaN(open) ? close : stop) : undefined
}

/** Judged before the bar itself counts: within it nobody knows whether the high or the low came first. */
export function withBar(position: StoppedPosition, { open, high, low, close }: StopBar): StoppedPosition {
  const seen = [open, high, low, close].filter((price) => !Number.isNaN(price))
  const best = position.isShort ? Math.min(position.best, ...seen) : Math.max(position.best, ...seen)
  return best === position.best ? position : { ...position, best }
}

/**
 * The position after a trade at a price; undefined where none is left. What is added changes its average price, what is taken
 * off does not, and beyond zero it is another one.
 */
export function afterStopTrade(
  position: StoppedPosition | undefined,
  held: number,
  quantity: number,
  price: number,
): StoppedPosition | undefined {
  const left = held + quantity
  if (left === 0) return undefined
  const isShort = left < 0
  if (!position || held === 0 || isShort !== position.isShort) return { isShort, entry: price, best: price }
  if (Math.abs(left) <= Math.abs(held)) return position
  const entry = (Math.abs(held) * position.entry + Math.abs(quantity) * price) / Math.abs(left)
  return { ...position, entry, best: isShort ? Math.min(position.best, price) : Math.max(position.best, price) }
}

/** The stops of an account's positions, by their places in its price table. */
export class PositionStops {
  readonly #rule: StopRule
  readonly #prices: StopPrices
  readonly #positions: (StoppedPosition | undefined)[] = []
  /** Closed by their stops, until they are decided or rebalanced anew. */
  readonly #closed = new Set<number>()
  /** The last bar in which a stop was reached. */
  #closedAt = -1

  constructor(rule: StopRule, prices: StopPrices) {
    this.#rule = rule
    this.#prices = prices
  }

  /** Notes a trade. `held`: before it. */
  traded(place: number, held: number, quantity: number, price: number): void {
    this.#positions[place] = afterStopTrade(this.#positions[place], held, quantity, price)
  }

  /** The stop of a position that the bar has reached, and what closes it. */
  reached(place: number, bar: number): { readonly stop: number; readonly price: number } | undefined {
    const position = this.#positions[place]
    if (!position) return undefined
    const prices = this.#bar(place, bar)
    const stop = stopPrice(this.#rule, position)
    const price = stopFill(stop, prices, position.isShort)
    if (price === undefined || !(price > 0)) {
      this.#positions[place] = withBar(position, prices)
      return undefined
    }
    this.#closed.add(place)
    this.#closedAt = bar
    return { stop, price }
  }

  /** Everything may be bought again: the strategy has decided. */
  decided(): void {
    this.#closed.clear()
  }

  /** The same for the rebalances of the calendar, but for those at the close of the bar in which a stop was reached. */
  rebalanced(bar: number): void {
    if (bar !== this.#closedAt) this.#closed.clear()
  }

  /** The target without what stops have closed. */
  openTarget(target: Float64Array): Float64Array {
    return this.#closed.size === 0 ? target : target.map((weight, place) => (this.#closed.has(place) ? 0 : weight))
  }

  #bar(place: number, bar: number): StopBar {
    const { open, high, low, close } = this.#prices
    const at = (columns: readonly Column[] | undefined) => columns?.[place]?.[bar] ?? Number.NaN
    return { open: at(open), high: at(high), low: at(low), close: at(close) }
  }
}

/** New shares per old share. */
export const splitStop = (position: StoppedPosition, ratio: number): StoppedPosition => ({
  ...position,
  entry: position.entry / ratio,
  best: position.best / ratio,
})

/** A position of a deployment as its ledger and the prices that were seen leave it. Plain data. */
export interface BookedStop extends StoppedPosition {
  /** Shares that it holds, as a decimal. */
  readonly held: string
  /** So many movements of the deployment are in it. */
  readonly movements: number
}

interface Movement {
  readonly type: EntryType
  readonly legs: readonly Leg[]
  readonly amount: Usd
}

/**
 * Brings the stop of a ticker up to its deployment's ledger: purchases, sales, splits, and what came in at its value. Undefined
 * where nothing is held.
 */
export function followLedger(
  before: BookedStop | undefined,
  deploymentId: number,
  ticker: string,
  movements: readonly Movement[],
): BookedStop | undefined {
  const party = partyOf(deploymentId)
  let position: StoppedPosition | undefined = before
  let held = before ? Decimal.parse(before.held) : Decimal.zero
  for (const { type, legs, amount } of movements.slice(before?.movements ?? 0)) {
    const own = legs.filter((leg) => leg.party === party)
    const change = sumOf(own.filter(({ asset }) => asset === ticker))
    if (change.isZero) continue
    const after = held.plus(change)
    const dollars = sumOf(own.filter(({ asset }) => asset === USD))
    const paid = dollars.isZero ? amount : dollars
    const isSplit = (type === 'SPLIT' || type === 'CORPORATE_ACTION') && position !== undefined && !after.isZero
    position = isSplit
      ? splitStop(position!, after.dividedBy(held).toNumber())
      : afterStopTrade(position, held.toNumber(), change.toNumber(), paid.dividedBy(change).absolute().toNumber())
    held = after
  }
  return position && !held.isZero
    ? {
        isShort: position.isShort,
        entry: position.entry,
        best: position.best,
        held: String(held),
        movements: movements.length,
      }
    : undefined
}

const sumOf = (legs: readonly Leg[]): Decimal => legs.reduce((sum, { amount }) => sum.plus(amount), Decimal.zero)
