import { parseTicker } from '@tradewright/core/ticker'
import { CASHX, TBILLX, tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import type { EpochDay } from '@tradewright/core/time'
import { calendarOf } from '../market/calendar/calendar-of.ts'
import { investedPct } from '../trading/allocation.ts'
import { PRICE_INDEXES } from './inflation.ts'
import { BILL_RATES, BORROWING_RATES } from './interest-rates.ts'
import { allocationsOf, type BacktestPlan, decidesBy, shortTickers } from './plan.ts'
import { firstPricedDay, needsPriceIndex } from './request.ts'

/** A series that a run wants to have fetched. */
export interface RequiredSeries {
  readonly symbol: string
  /** First day worth fetching: before the start of the run where a feature has to warm up. */
  readonly from: EpochDay
  readonly to: EpochDay
  /** Without it the run fails; the others make it better (a rate, an index) and one of several will do. */
  readonly isEssential: boolean
  readonly purpose: 'simulation' | 'features' | 'reference' | 'rates'
}

/**
 * A month's rate or price index is needed on the month's first day already, and the level of prices on a day lies between
 * two month ends: two whole months before the start.
 */
const RATE_LEAD_DAYS = 70

/** Everything a planned run reads. A symbol may appear more than once, for different purposes. */
export function requiredSeries(plan: BacktestPlan): RequiredSeries[] {
  const { from, to } = plan.settings
  const firstPrice = firstPricedDay(plan.settings)
  const priced = (tickers: readonly string[], purpose: RequiredSeries['purpose']) =>
    symbolsOf(tickers).map((symbol) => ({ symbol, from: firstPrice, to, isEssential: true, purpose }))
  const { referenceTicker, riskFreeTicker } = plan
  return [
    ...priced(plan.tradedTickers, 'simulation'),
    ...priced(plan.replacementTicker === undefined ? [] : [plan.replacementTicker], 'simulation'),
    ...featureSeries(plan),
    ...priced(
      [referenceTicker, riskFreeTicker].filter((ticker) => ticker !== undefined),
      'reference',
    ),
    ...rateSymbols(plan).map((symbol) => ({
      symbol,
      from: from - RATE_LEAD_DAYS,
      to,
      isEssential: false,
      purpose: 'rates' as const,
    })),
  ]
}

const symbolsOf = (tickers: readonly string[]): string[] =>
  [...new Set(tickers.map((ticker) => parseTicker(ticker).symbol))].filter(
    (symbol) => symbol !== CASHX && symbol !== TBILLX,
  )

/** A symbol once, from the earliest day that any of its features needs. */
function featureSeries({ settings, strategy }: BacktestPlan): RequiredSeries[] {
  const starts = new Map<string, EpochDay>()
  for (const planned of decidesBy(strategy)) {
    // A target looks ahead and needs no past.
    const bars = 'warmUp' in planned.definition ? planned.definition.warmUp(planned.values) : 0
    for (const symbol of symbolsOf([planned.ticker, planned.otherTicker ?? planned.ticker])) {
      const start = settings.from - calendarDays(bars, tickerKind(symbol), settings.granularity === '1d')
      starts.set(symbol, Math.min(starts.get(symbol) ?? start, start))
    }
  }
  return [...starts].map(([symbol, from]) => ({
    symbol,
    from,
    to: settings.to,
    isEssential: true,
    purpose: 'features',
  }))
}

/** Generous: a quarter between observations, one bar a day on an exchange that opens on 250 days, holidays included. */
function calendarDays(bars: number, kind: TickerKind, isDaily: boolean): number {
  if (kind === 'economic') return bars * 92 + 200
  if (!isDaily) return Math.ceil(bars / 5) + 7
  return calendarOf(kind)?.id === 'crypto' ? bars + 5 : Math.ceil(bars * 1.5) + 10
}

function rateSymbols({ settings, strategy, tradedTickers, referenceTicker }: BacktestPlan): string[] {
  const seen = strategy.kind === 'ml' ? strategy.features : decidesBy(strategy)
  const isLevered = [...tradedTickers, ...seen.map(({ ticker }) => ticker), referenceTicker ?? CASHX].some(
    (ticker) => parseTicker(ticker).leverage,
  )
  const borrows =
    isLevered ||
    shortTickers(strategy).length > 0 ||
    allocationsOf(strategy).some((allocation) => investedPct(allocation) > 100)
  const wanted = [
    ...BILL_RATES,
    ...(borrows ? BORROWING_RATES : []),
    ...(needsPriceIndex(settings) ? PRICE_INDEXES : []),
  ]
  return [...new Set(wanted)]
}
