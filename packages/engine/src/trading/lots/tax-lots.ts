import { civilDate } from '@tradewright/core/time'
import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { inProportion } from '../ledger/holders.ts'
import type { Disposal, Lot, LotMethod } from './lot.ts'
import type { ExchangeEvent, LotEvent } from './lot-event.ts'
import { type LotChoice, TickerLots } from './ticker-lots.ts'

export interface LotRules {
  readonly method: LotMethod
  /** By sale; for the method `specific`. */
  readonly choices?: ReadonlyMap<string, readonly LotChoice[]>
  /** Stops before this sale, to see which lots it can take. */
  readonly before?: string
}

export interface TaxLots {
  /** By ticker, oldest first. */
  readonly lots: readonly Lot[]
  /** In the order of the sales, each within its ticker. */
  readonly disposals: readonly Disposal[]
}

/** Lots and realised gains of one account: all that its deployments trade is one taxpayer's. */
export function taxLots(events: readonly LotEvent[], { method, choices, before }: LotRules): TaxLots {
  const byTicker = new Map<string, TickerLots>()
  const lotsOf = (ticker: string): TickerLots => {
    const known = byTicker.get(ticker) ?? new TickerLots(ticker)
    byTicker.set(ticker, known)
    return known
  }
  for (const event of events) {
    if (event.kind === 'trade' && event.id === before) break
    const lots = lotsOf(event.ticker)
    if (event.kind === 'opening') lots.open(event)
    else if (event.kind === 'split') lots.split(event.change)
    else if (event.kind === 'removal') lots.remove(event.quantity, method)
    else if (event.kind === 'return-of-capital') lots.returnCapital(event.id, event.day, event.amount)
    else if (event.kind === 'exchange') exchange(lots, lotsOf(event.into.ticker), event, method)
    else if (event.side === 'buy') lots.buy(event)
    else lots.sell(event, method, choices?.get(event.id) ?? [])
  }
  const tickers = [...byTicker.values()].sort((a, b) => (a.ticker < b.ticker ? -1 : 1))
  for (const lots of tickers) lots.settleLosses()
  return {
    lots: tickers.flatMap(({ lots }) => lots),
    disposals: tickers.flatMap(({ disposals }) => disposals).sort((a, b) => a.soldOn - b.soldOn),
  }
}

/** The new shares take over cost and time in proportion to the old ones. */
function exchange(from: TickerLots, to: TickerLots, { day, quantity, into }: ExchangeEvent, method: LotMethod): void {
  const given = from.remove(quantity, method)
  if (given.length === 0) return
  const parts = inProportion(
    into.quantity,
    given.map((lot) => ({ party: 'unallocated', quantity: lot.quantity })),
  )
  to.receive(
    `exchange:${from.ticker}:${day}`,
    given.map((lot, i) => Object.assign({}, lot, { quantity: parts[i]! })),
  )
}

/** Sums of a year; sales whose basis is not known are counted apart. */
export interface RealisedTerm {
  readonly proceeds: Usd
  readonly basis: Usd
  readonly disallowed: Usd
  /** Proceeds less basis, plus the losses that are disallowed. */
  readonly gain: Usd
}

interface RealisedYear {
  readonly year: number
  readonly short: RealisedTerm
  readonly long: RealisedTerm
  readonly total: RealisedTerm
  /** Sales of shares whose basis is not known, which are in no sum. */
  readonly unknown: number
}

/** Newest first. */
export function realisedByYear(disposals: readonly Disposal[]): RealisedYear[] {
  const years = Map.groupBy(disposals, ({ soldOn }) => civilDate(soldOn).year)
  return [...years]
    .sort(([a], [b]) => b - a)
    .map(([year, all]) => {
      const known = all.filter(({ origin }) => origin !== 'unknown')
      return {
        year,
        short: sumOf(known.filter(({ term }) => term === 'short')),
        long: sumOf(known.filter(({ term }) => term === 'long')),
        total: sumOf(known),
        unknown: all.length - known.length,
      }
    })
}

const NOTHING: RealisedTerm = {
  proceeds: Decimal.zero,
  basis: Decimal.zero,
  disallowed: Decimal.zero,
  gain: Decimal.zero,
}

export const sumOf = (disposals: readonly Disposal[]): RealisedTerm =>
  disposals.reduce(
    (sum, { proceeds, basis, disallowed, gain }) => ({
      proceeds: sum.proceeds.plus(proceeds),
      basis: sum.basis.plus(basis),
      disallowed: sum.disallowed.plus(disallowed),
      gain: sum.gain.plus(gain),
    }),
    NOTHING,
  )
