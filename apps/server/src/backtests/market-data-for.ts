import { hasBlocks } from '@tradewright/core/strategy-kinds'
import { Problem } from '@tradewright/core/problem'
import { tickerPlaces } from '@tradewright/core/rules/ticker-places'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { parseTicker } from '@tradewright/core/ticker'
import { dateOf, dayStamp, type EpochDay, type UtcMillis } from '@tradewright/core/time'
import { PRICE_INDEXES } from '@tradewright/engine/backtest/inflation'
import { BILL_RATES, BORROWING_RATES } from '@tradewright/engine/backtest/interest-rates'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { BacktestPlan } from '@tradewright/engine/backtest/plan'
import { isSynthetic } from '@tradewright/engine/backtest/provenance'
import type { BacktestSettings } from '@tradewright/engine/backtest/request'
import { type RequiredSeries, requiredSeries } from '@tradewright/engine/backtest/required-series'
import { isValueSeries } from '@tradewright/engine/market/known-at'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { AUTO_PROVIDER } from '../market-data/series-for.ts'
import { type DataProblem, dataProblems, noDataSentences } from './data-problems.ts'
import type { SeriesAnswer, SeriesSource } from './ports.ts'

export interface SeriesAccess {
  readonly userId: number
  readonly provider: string
  /** Ask providers again that have just failed. */
  readonly retries?: boolean
  /** What the data store held at this moment; undefined: what it holds now, and providers have. */
  readonly asOf?: UtcMillis | undefined
  readonly source: SeriesSource
  readonly signal: AbortSignal
}

export interface FetchedData {
  readonly data: MarketData
  /** What could not be had as it was asked for; the run goes on without it. */
  readonly problems: readonly DataProblem[]
}

/** Everything that a plan reads. A Problem names each ticker without which there is no run. */
export const marketDataFor = (plan: BacktestPlan, access: SeriesAccess): Promise<FetchedData> =>
  fetchRequired(requiredSeries(plan), plan.settings, access, hasBlocks(plan.strategy) ? plan.strategy.tree : undefined)

/** `tree`: where each ticker that is missing is named, so that it is said there. */
export async function fetchRequired(
  required: readonly RequiredSeries[],
  { granularity, to }: Pick<BacktestSettings, 'granularity' | 'to'>,
  { userId, provider, retries = false, asOf, source, signal }: SeriesAccess,
  tree?: RulesTree,
): Promise<FetchedData> {
  const [rates, prices] = [true, false].map((isRate) =>
    required.filter(({ purpose }) => (purpose === 'rates') === isRate),
  )
  const named = new Set(prices!.map(({ symbol }) => symbol))
  const wanted = [
    ...requests(prices!, provider),
    // A price provider has no interest rates or price indexes: they come from where they exist, unless it makes them up.
    ...requests(
      rates!.filter(({ symbol }) => !named.has(symbol)),
      provider === SAMPLE_PROVIDER_ID ? provider : AUTO_PROVIDER,
    ),
  ]
  const columns = [...new Set(required.flatMap((one) => one.columns ?? []))]
  const fetched = (requested: ReturnType<typeof requests>) =>
    Promise.all(
      requested.map(({ from, tickers, provider: chosen }) => {
        const range = { from: dayStamp(from), to: dayStamp(to + 1) }
        return source(
          { userId, tickers, range, granularity, provider: chosen, retries, asOf, columns, stopsAtUnknown: true },
          signal,
        )
      }),
    )
  const answers = await fetched(wanted)
  const tables = answers.flatMap(({ series }) => [...series.values()])
  const values = new Set(tables.filter(isValueSeries).map(({ ticker }) => ticker))
  const longer = prices!.flatMap(({ symbol, from, fromAsValues = from, ...rest }) =>
    values.has(symbol) && fromAsValues < from ? [{ ...rest, symbol, from: fromAsValues }] : [],
  )
  // Later answers replace the shorter ones.
  answers.push(...(await fetched(requests(longer, provider))))
  const missing = answers.flatMap((answer) => answer.missing)
  refuseMissing(required, missing, to, tree)
  return {
    data: {
      series: withRealRates(new Map(answers.flatMap(({ series }) => Array.from(series))), named),
      actions: new Map(answers.flatMap(({ actions }) => Array.from(actions))),
    },
    problems: dataProblems(
      missing.filter(({ hasRows }) => hasRows),
      answers.flatMap((answer) => answer.substituted).filter(({ ticker }) => named.has(ticker)),
      answers.flatMap((answer) => answer.leftOut ?? []),
    ),
  }
}

/** Drops a synthetic rate where a real one means the same, unless it was named. */
function withRealRates(series: Map<string, SeriesTable>, named: ReadonlySet<string>): Map<string, SeriesTable> {
  for (const group of [BILL_RATES, BORROWING_RATES, PRICE_INDEXES]) {
    const known = group.flatMap((symbol) => series.get(symbol) ?? [])
    if (known.every(isSynthetic)) continue
    for (const table of known) if (isSynthetic(table) && !named.has(table.ticker)) series.delete(table.ticker)
  }
  return series
}

/** Where the exchange calendar begins: a feature that would like to warm up from before cannot. */
export const EARLIEST_DAY = dateOf('1928-01-01')

const requests = (required: readonly RequiredSeries[], provider: string) =>
  Array.from(symbolsByStart(required), ([from, tickers]) => ({ from, tickers, provider }))

/** Each symbol once, from the earliest day that a purpose needs; most symbols share one. */
function symbolsByStart(required: readonly RequiredSeries[]): Map<EpochDay, string[]> {
  const starts = new Map<string, EpochDay>()
  for (const { symbol, from } of required) {
    starts.set(symbol, Math.max(EARLIEST_DAY, Math.min(starts.get(symbol) ?? from, from)))
  }
  const grouped = Map.groupBy(starts, ([, from]) => from)
  return new Map([...grouped].map(([from, group]) => [from, group.map(([symbol]) => symbol)]))
}

function refuseMissing(
  required: readonly RequiredSeries[],
  missing: SeriesAnswer['missing'],
  to: EpochDay,
  tree: RulesTree | undefined,
): void {
  const essential = required.filter(({ isEssential }) => isEssential)
  const lost = missing.filter(({ ticker, hasRows }) => !hasRows && essential.some(({ symbol }) => symbol === ticker))
  if (lost.length === 0) return
  const from = Math.min(...essential.map((series) => series.from))
  const sentences = noDataSentences(lost, { from, to }).join(' ')
  const facts = tree && { rule_problems: problemsAtBlocks(tree, lost, { from, to }) }
  throw new Problem('invalid', 'backtest.no-data', sentences, facts && { facts })
}

function problemsAtBlocks(
  tree: RulesTree,
  lost: SeriesAnswer['missing'],
  range: { from: EpochDay; to: EpochDay },
): { block: string | null; path: string; sentence: string }[] {
  return tickerPlaces(tree).flatMap(({ block = null, path, ticker }) => {
    const { symbol } = parseTicker(ticker)
    const found = lost.find((one) => one.ticker === symbol)
    return found ? [{ block, path, sentence: noDataSentences([found], range).join(' ') }] : []
  })
}
