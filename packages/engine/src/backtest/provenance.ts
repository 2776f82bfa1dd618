import { Problem } from '@tradewright/core/problem'
import { fallbacksOf, parseTicker } from '@tradewright/core/ticker'
import { TBILLX } from '@tradewright/core/ticker-kind'
import { type EpochDay, epochDayOf } from '@tradewright/core/time'
import { SAMPLE_PROVIDER_ID } from '../market/sample/sample-provider.ts'
import type { SeriesTable } from '../market/series.ts'
import { BILL_RATES } from './interest-rates.ts'
import { type BacktestPlan, decidesBy } from './plan.ts'

/** What a series was used for. One with several uses is listed under the first of them in this order. */
const seriesUses = ['traded', 'feature', 'reference', 'rate'] as const
type SeriesUse = (typeof seriesUses)[number]

/** Where one series of a result came from. Plain data, kept with the result. */
export interface SeriesProvenance {
  /** Without leverage. */
  readonly ticker: string
  readonly use: SeriesUse
  readonly sources: readonly {
    readonly provider: string
    readonly start: EpochDay
    readonly end: EpochDay
    readonly rows: number
  }[]
  /** Rows of the sample market. */
  readonly synthetic: boolean
}

/** Tickers by what they are used for; every other series of a run is a rate or a price index. */
export interface SeriesUses {
  readonly traded: readonly string[]
  readonly features: readonly string[]
  readonly references: readonly string[]
}

export const usesOf = (plan: BacktestPlan): SeriesUses => ({
  traded: [...plan.tradedTickers, ...(plan.replacementTicker === undefined ? [] : [plan.replacementTicker])],
  features: featureTickers(plan),
  references: [plan.referenceTicker, plan.riskFreeTicker].filter((ticker) => ticker !== undefined),
})

function featureTickers({ strategy }: Pick<BacktestPlan, 'strategy'>): string[] {
  const tickers = decidesBy(strategy).flatMap(({ ticker, otherTicker }) => [ticker, otherTicker ?? ticker])
  return [...new Set(tickers)]
}

export function provenanceOf(tables: Iterable<SeriesTable>, uses: SeriesUses): SeriesProvenance[] {
  const traded = symbolsOf(uses.traded)
  // The price of TBILLX is nothing but the rate it is made of.
  if (traded.has(TBILLX)) for (const rate of BILL_RATES) traded.add(rate)
  const [features, references] = [symbolsOf(uses.features), symbolsOf(uses.references)]
  const useOf = (ticker: string): SeriesUse => {
    if (traded.has(ticker)) return 'traded'
    if (features.has(ticker)) return 'feature'
    return references.has(ticker) ? 'reference' : 'rate'
  }
  const found = [...tables].map((table) => ({
    ticker: table.ticker,
    use: useOf(table.ticker),
    sources: table.sources.map(({ provider, from, last, rows }) => ({
      provider,
      start: epochDayOf(from),
      end: epochDayOf(last),
      rows,
    })),
    synthetic: isSynthetic(table),
  }))
  return found.sort((a, b) => seriesUses.indexOf(a.use) - seriesUses.indexOf(b.use) || (a.ticker < b.ticker ? -1 : 1))
}

const symbolsOf = (tickers: readonly string[]): Set<string> =>
  new Set(tickers.map(parseTicker).flatMap((ticker) => [ticker, ...fallbacksOf(ticker)].map(({ symbol }) => symbol)))

/** Whether rows of a series are made up. */
export const isSynthetic = ({ sources }: Pick<SeriesTable, 'sources'>): boolean =>
  sources.some(({ provider }) => provider === SAMPLE_PROVIDER_ID)

/** The verdict on a result: a synthetic rate or feature is named in the notes, a synthetic traded price decides. */
export const tradesSynthetic = (series: readonly SeriesProvenance[]): boolean =>
  series.some(({ use, synthetic }) => use === 'traded' && synthetic)

export const syntheticTickers = (series: readonly SeriesProvenance[], use: SeriesUse): string[] =>
  series.filter((one) => one.use === use && one.synthetic).map(({ ticker }) => ticker)

/** A curve of real and synthetic prices is about no market at all, so it is drawn only where that was confirmed. */
export function refuseMixedPrices(series: readonly SeriesProvenance[], isAllowed: boolean): void {
  const traded = series.filter(({ use }) => use === 'traded')
  const [synthetic, real] = [traded.filter((one) => one.synthetic), traded.filter((one) => !one.synthetic)]
  if (isAllowed || synthetic.length === 0 || real.length === 0) return
  const made = listed(synthetic.map(({ ticker }) => ticker))
  throw new Problem(
    'invalid',
    'backtest.mixed-prices',
    `Real and synthetic prices would be mixed in one result: prices of ${listed(real.map(({ ticker }) => ticker))} are ` +
      `real, but for ${made} there is only synthetic sample data. Retry when the data provider answers, import prices of ` +
      `${made}, or allow mixed prices.`,
  )
}

/** `SPY`, `SPY and AGG`, `SPY, AGG and TLT`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`

/** What the reader should know of synthetic series that are not traded; the traded ones have the badge. */
export function helperNotes(series: readonly SeriesProvenance[]): string[] {
  const [rates, features, references] = (['rate', 'feature', 'reference'] as const).map((use) =>
    syntheticTickers(series, use),
  )
  const notes: string[] = []
  if (tradesSynthetic(series)) return notes
  if (rates!.length > 0) {
    notes.push(
      `${listed(rates!)} ${are(rates!)} synthetic sample data: ratios and interest that use ${rates!.length === 1 ? 'it' : 'them'} are not real. All traded prices are.`,
    )
  }
  if (features!.length > 0) {
    notes.push(
      `Features of ${listed(features!)} are computed from synthetic sample data: what the model learned from them says nothing about real markets. All traded prices are real.`,
    )
  }
  if (references!.length > 0) {
    notes.push(`The reference ${listed(references!)} is synthetic sample data: a comparison with it says nothing.`)
  }
  return notes
}

const are = (words: readonly string[]): string => (words.length === 1 ? 'is' : 'are')
