import { civilDate, type EpochDay } from '@tradewright/core/time'
import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { inProportion } from '../ledger/holders.ts'
import type { Disposal, Lot, LotMethod } from './lot.ts'
import type { DeliveryEvent, ExchangeEvent, LotEvent, OpeningEvent, SpinOffEvent, TradeEvent } from './lot-event.ts'
import { type LotChoice, type MovedShares, TickerLots } from './ticker-lots.ts'

export interface LotRules {
  readonly method: LotMethod
  /** By sale; for the method `specific`. */
  readonly choices?: ReadonlyMap<string, readonly LotChoice[]>
  /** Stops before this sale, to see which lots it can take. */
  readonly before?: string
  /** The lots of the end of this day are answered beside those of now. */
  readonly asOf?: EpochDay
}

export interface TaxLots {
  /** By ticker, oldest first. */
  readonly lots: readonly Lot[]
  /** In the order of the sales, each within its ticker. */
  readonly disposals: readonly Disposal[]
  /** Lots at the end of the day that was asked about; empty where none was. */
  readonly lotsThen: readonly Lot[]
}

/** Lots and realised gains of one account: all that its deployments trade is one taxpayer's. */
export function taxLots(events: readonly LotEvent[], { method, choices, before, asOf }: LotRules): TaxLots {
  const byTicker = new Map<string, TickerLots>()
  const lotsOf = (ticker: string): TickerLots => {
    const known = byTicker.get(ticker) ?? new TickerLots(ticker)
    byTicker.set(ticker, known)
    return known
  }
  let lotsThen: readonly Lot[] | undefined = asOf === undefined ? [] : undefined
  for (const event of events) {
    if (lotsThen === undefined && event.day > asOf!) lotsThen = copiesOf(settled(byTicker))
    const lots = lotsOf(event.ticker)
    if (event.kind === 'opening') lots.open(event)
    else if (event.kind === 'split') lots.split(event.day, event.change)
    else if (event.kind === 'removal') lots.remove(event.quantity, method)
    else if (event.kind === 'return-of-capital') lots.returnCapital(event.id, event.day, event.amount)
    else if (event.kind === 'exchange') exchange(lots, lotsOf(event.into.ticker), event, method)
    else if (event.kind === 'spin-off')
      spinOff(
        lots,
        event.parents.map((name) => byTicker.get(name)),
        event,
      )
    else {
      if (event.id === before) break
      const trade = event.kind === 'delivery' ? delivered(lots, event, method) : event
      if (trade.side === 'buy') lotsOf(trade.ticker).buy(trade)
      else lotsOf(trade.ticker).sell(trade, method, choices?.get(trade.id) ?? [])
    }
  }
  const tickers = settled(byTicker)
  const lots = tickers.flatMap((each) => each.lots)
  return {
    lots,
    lotsThen: lotsThen ?? lots,
    disposals: tickers.flatMap(({ disposals }) => disposals).sort((a, b) => a.soldOn - b.soldOn),
  }
}

function settled(byTicker: ReadonlyMap<string, TickerLots>): TickerLots[] {
  const tickers = [...byTicker.values()].sort((a, b) => (a.ticker < b.ticker ? -1 : 1))
  for (const lots of tickers) lots.settleLosses()
  return tickers
}

/** What happens later changes the lots themselves. */
const copiesOf = (tickers: readonly TickerLots[]): Lot[] =>
  tickers.flatMap(({ lots }) => lots.map((lot) => Object.assign({}, lot)))

/** The new shares take over cost and time in proportion to the old ones; so does what is owed instead of them. */
function exchange(from: TickerLots, to: TickerLots, event: ExchangeEvent, method: LotMethod): void {
  const { id, quantity, into } = event
  // A short position is exchanged by bringing the old shares and owing the new ones.
  const isOwed = !from.isLong && to.isShort
  const given = isOwed ? to.remove(into.quantity, method) : from.remove(quantity, method)
  if (given.length === 0) to.open(unknownShares(id, event.day, into.ticker, into.quantity))
  else if (isOwed) from.receive(id, inNewShares(given, quantity.negated()))
  else to.receive(id, inNewShares(given, into.quantity))
  if (event.isRename && !isOwed) to.moveLosses(from, into.quantity, quantity)
}

/** The time of the parent's shares counts for the new ones; the basis of these is not known. */
function spinOff(to: TickerLots, parents: readonly (TickerLots | undefined)[], event: SpinOffEvent): void {
  const { id, day, ticker, quantity } = event
  const parent = parents.find((lots) => lots?.isLong)
  if (!parent) to.open(unknownShares(id, day, ticker, quantity))
  else {
    const shares = inNewShares(parent.heldShares(), quantity)
    to.receive(
      id,
      shares.map((lot) => Object.assign({}, lot, UNKNOWN_BASIS)),
    )
  }
}

const UNKNOWN_BASIS = { basis: Decimal.zero, washAdjustment: Decimal.zero, origin: 'unknown' } as const

const unknownShares = (id: string, day: EpochDay, ticker: string, quantity: Decimal): OpeningEvent => ({
  kind: 'opening',
  id,
  ticker,
  day,
  quantity,
  basis: Decimal.zero,
  origin: 'unknown',
})

/** Divided as the old ones; the cost of a lot too small for a billionth of a share goes to the largest. */
function inNewShares(given: readonly MovedShares[], quantity: Decimal): MovedShares[] {
  const parts = inProportion(
    quantity,
    given.map((lot) => ({ party: 'unallocated', quantity: lot.quantity })),
  )
  const largest = given.reduce((best, _, i) => (parts[best]!.absolute().isBelow(parts[i]!.absolute()) ? i : best), 0)
  const lost = given.filter((_, i) => parts[i]!.isZero).reduce((sum, { basis }) => sum.plus(basis), Decimal.zero)
  return given.flatMap((lot, i) =>
    parts[i]!.isZero ? [] : [{ ...lot, quantity: parts[i]!, basis: i === largest ? lot.basis.plus(lost) : lot.basis }],
  )
}

/** The premium is a part of what the shares cost or bring (Publication 550, "Options"). */
function delivered(contracts: TickerLots, event: DeliveryEvent, method: LotMethod): TradeEvent {
  const { id, day, change, shares } = event
  const ended = change.isPositive === contracts.isShort ? contracts.remove(change.absolute(), method) : []
  const premium = ended.reduce((sum, { basis }) => sum.plus(basis), Decimal.zero)
  const amount = shares.side === 'buy' ? shares.amount.plus(premium) : shares.amount.minus(premium)
  return { kind: 'trade', id, orderId: id, day, ...shares, amount }
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
