import { fallbacksOf, heldKind, parseTicker, type Ticker } from '@tradewright/core/ticker'
import { CASHX, TBILLX, type TickerKind } from '@tradewright/core/ticker-kind'
import type { EpochDay } from '@tradewright/core/time'
import { calendarOf } from '../market/trading-calendar.ts'
import { investedPct } from '../trading/allocation.ts'
import { PRICE_INDEXES } from './inflation.ts'
import { BILL_RATES, BORROWING_RATES } from './interest-rates.ts'
import { allocationsOf, type BacktestPlan, decidesBy, featuresOf, shortTickers } from './plan.ts'
import { firstPricedDay, needsPriceIndex } from './request.ts'

/** A series that a run wants to have fetched. */
export interface RequiredSeries {
  readonly symbol: string
  /** First day worth fetching: before the start of the run where a feature has to warm up. */
  readonly from: EpochDay
  readonly to: EpochDay
  /** Without it the run fails; the others make it better (a rate, an index) and one of several will do. */
  readonly isEssential: boolean
  /** First day instead, where the series turns out to be no prices but values that are months apart. */
  readonly fromAsValues?: EpochDay
  /** Columns of a file of the user's that are read beside the usual ones. */
  readonly columns?: readonly string[]
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
    tickers.flatMap((ticker) => seriesOf(ticker, firstPrice, to, purpose))
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

/** The yield of a session may be that of some days before, around holidays. */
const YIELD_LEAD_DAYS = 7

/** A ticker and its fallbacks, without which it only has less history. */
function seriesOf(
  written: string,
  from: EpochDay,
  to: EpochDay,
  purpose: RequiredSeries['purpose'],
  fromAsValues?: EpochDay,
): RequiredSeries[] {
  return withFallbacks(written).flatMap(({ symbol, maturityYears }, place): RequiredSeries[] => {
    if (symbol === CASHX) return []
    const isEssential = place === 0
    if (symbol === TBILLX) {
      // Bills that stand in for a fund need their rate as far back as the fund would.
      return isEssential
        ? []
        : BILL_RATES.map((rate) => ({ symbol: rate, from, to, isEssential: false, purpose: 'rates' }))
    }
    const start = maturityYears === undefined ? from : from - YIELD_LEAD_DAYS
    return [{ symbol, from: start, to, isEssential, purpose, ...(fromAsValues !== undefined && { fromAsValues }) }]
  })
}

/** Each ticker from the earliest day that any of its features needs. */
function featureSeries({ settings, strategy }: BacktestPlan): RequiredSeries[] {
  const starts = new Map<string, EpochDay>()
  const startsAsValues = new Map<string, EpochDay>()
  for (const planned of decidesBy(strategy)) {
    // A target looks ahead and needs no past.
    const bars = 'warmUp' in planned.definition ? planned.definition.warmUp(planned.values) : 0
    for (const ticker of new Set([planned.ticker, planned.otherTicker ?? planned.ticker])) {
      const kind = heldKind(parseTicker(ticker))
      const start = settings.from - calendarDays(bars, kind, settings.granularity === '1d')
      starts.set(ticker, Math.min(starts.get(ticker) ?? start, start))
      const asValues = settings.from - calendarDays(bars, 'economic', true)
      startsAsValues.set(ticker, Math.min(startsAsValues.get(ticker) ?? asValues, asValues))
    }
  }
  return [...starts].flatMap(([ticker, from]) => {
    const columns = ownColumnsOf(strategy, ticker)
    return seriesOf(ticker, from, settings.to, 'features', startsAsValues.get(ticker)).map((series) =>
      columns.length > 0 ? Object.assign(series, { columns }) : series,
    )
  })
}

const ownColumnsOf = (strategy: BacktestPlan['strategy'], of: string): string[] =>
  decidesBy(strategy).flatMap(({ ticker, values }) =>
    ticker === of && values.has('column') ? [values.text('column')] : [],
  )

/** Generous: a quarter between observations, one bar a day on an exchange that opens on 250 days, holidays included. */
function calendarDays(bars: number, kind: TickerKind, isDaily: boolean): number {
  if (kind === 'economic') return bars * 92 + 200
  if (!isDaily) return Math.ceil(bars / 5) + 7
  return calendarOf(kind)?.id === 'crypto' ? bars + 5 : Math.ceil(bars * 1.5) + 10
}

/** Whether a ticker, or one that stands in for it, is priced by an interest rate. */
export const isMadeOfRates = (ticker: string): boolean =>
  withFallbacks(ticker).some(({ leverage, symbol }) => leverage !== undefined || symbol === TBILLX)

function withFallbacks(written: string): Ticker[] {
  const ticker = parseTicker(written)
  return [ticker, ...fallbacksOf(ticker)]
}

function rateSymbols({ settings, strategy, tradedTickers, referenceTicker }: BacktestPlan): string[] {
  const seen = featuresOf(strategy)
  const isLevered = [...tradedTickers, ...seen.map(({ ticker }) => ticker), referenceTicker ?? CASHX].some((ticker) =>
    withFallbacks(ticker).some(({ leverage }) => leverage),
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
