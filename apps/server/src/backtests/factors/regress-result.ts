import type { Column } from '@tradewright/core/column'
import type { FactorKind } from '@tradewright/core/factor-sets'
import { Problem } from '@tradewright/core/problem'
import { parseTicker } from '@tradewright/core/ticker'
import { CASHX, isObservation, TBILLX } from '@tradewright/core/ticker-kind'
import { epochDayOf } from '@tradewright/core/time'
import type { FactorReport, FactorSeries } from '@tradewright/engine/backtest/factor-report'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { SeriesSet } from '@tradewright/engine/backtest/priced-series'
import { isSynthetic } from '@tradewright/engine/backtest/provenance'
import type { BacktestSettings } from '@tradewright/engine/backtest/request'
import { isValueSeries, knownAtOf } from '@tradewright/engine/market/known-at'
import { fetchRequired } from '../market-data-for.ts'
import { measurableCurve } from '../measurable-curve.ts'
import type { SeriesSource } from '../ports.ts'
import { type BacktestReader, findBacktest } from '../saved-backtests.ts'
import { type FactorFileDeps, findFactorFile } from './factor-files.ts'

export interface RegressDeps extends FactorFileDeps, BacktestReader {
  readonly source: SeriesSource
}

interface RegressionRequest {
  readonly backtestId: number
  readonly series: readonly { readonly symbol: string; readonly kind: FactorKind }[]
  readonly file: { readonly id: number; readonly factors: readonly string[] } | undefined
  /** What is explained in place of the result. */
  readonly ticker: string | undefined
  readonly windowMonths: number
}

/** A level of the month before is needed on the first day. */
const LEAD_DAYS = 100

interface Regressed {
  readonly report: FactorReport | { readonly notAvailable: string }
  /** A factor's prices come from the sample market. */
  readonly isSynthetic: boolean
}

/** What drives a result. Nothing is kept. */
export async function regressResult(
  deps: RegressDeps,
  userId: number,
  { backtestId, series: asked, file, ticker, windowMonths }: RegressionRequest,
  signal: AbortSignal,
): Promise<Regressed> {
  const { report } = await findBacktest(deps, userId, backtestId)
  const { result, run } = report
  const settings = run.request
  if (settings.granularity !== '1d') {
    throw new Problem('invalid', 'factors.granularity', 'A factor regression needs a result on daily prices.')
  }
  const table = file && (await findFactorFile(deps, userId, file.id))
  checkColumns(table?.columns.map(({ name }) => name) ?? [], file?.factors ?? [])
  const symbols = asked.map(({ symbol, kind }) => ({ symbol: symbolOf(symbol), kind }))
  const { days, growth, yardsticks } = measurableCurve(result)
  const own = ticker === undefined ? undefined : symbolOf(ticker)
  const required = [...new Set([...symbols.map(({ symbol }) => symbol), ...(own === undefined ? [] : [own])])].map(
    (symbol) => ({
      symbol,
      from: days[0]! - LEAD_DAYS,
      to: days.at(-1)!,
      isEssential: true,
      purpose: 'reference' as const,
    }),
  )
  const access = { userId, provider: run.provider, source: deps.source, signal }
  const { data } = await fetchRequired(required, { granularity: '1d', to: days.at(-1)! }, access)
  const found = await deps.compute.run(
    'backtests/regress',
    {
      ...(own === undefined
        ? { days, growth, riskFree: yardsticks.riskFree }
        : tickerCurve(seriesOf(data, settings, own, 'return'), days, yardsticks.riskFree)),
      riskFreeName: result.riskFree,
      periodsPerYear: yardsticks.barsPerYear,
      series: symbols.map(({ symbol, kind }) => seriesOf(data, settings, symbol, kind)),
      file: table && { table, chosen: file.factors },
      windowMonths,
    },
    { owner: String(userId), signal },
  )
  return { report: found, isSynthetic: [...data.series.values()].some(isSynthetic) }
}

/** A ticker on the days of the result that it has a price on. */
function tickerCurve({ name, days: own, values }: FactorSeries, days: Int32Array, riskFree: Column | undefined) {
  const valueOn = new Map(Array.from(own, (day, row) => [day, values[row]!]))
  const places = [...days.keys()].filter((place) => valueOn.has(days[place]!))
  if (places.length < 2) {
    throw new Problem('invalid', 'factors.ticker', `${name} has no prices on the days of the result.`)
  }
  const first = valueOn.get(days[places[0]!]!)!
  return {
    days: Int32Array.from(places, (place) => days[place]!),
    growth: Float64Array.from(places, (place) => valueOn.get(days[place]!)! / first),
    riskFree:
      riskFree &&
      Float64Array.from(
        places.slice(1),
        (place, step) => riskFree.subarray(places[step], place).reduce((grown, earned) => grown * (1 + earned), 1) - 1,
      ),
  }
}

function symbolOf(text: string): string {
  const { symbol, leverage, maturityYears, fallback } = parseTicker(text)
  const isSymbolAlone = !leverage && maturityYears === undefined && !fallback
  if (!isSymbolAlone || symbol === CASHX || symbol === TBILLX) {
    throw new Problem('invalid', 'factors.ticker', `${text} cannot be a factor: name a ticker or a series of its own.`)
  }
  return symbol
}

function checkColumns(known: readonly string[], chosen: readonly string[]): void {
  const stranger = chosen.find((name) => !known.includes(name))
  if (stranger !== undefined) {
    throw new Problem('invalid', 'factors.column', `The file has no factor ${stranger}.`)
  }
}

/** Prices with dividends reinvested; of an economic series its values, on the days on which they were known. */
function seriesOf(data: MarketData, settings: BacktestSettings, symbol: string, kind: FactorKind): FactorSeries {
  const book = new SeriesSet(data, { ...settings, reinvestDividends: true })
  const { table } = book.priced(symbol)
  const values = table.columns['close'] ?? table.columns['value']!
  const stamps = isObservation(table.type) || isValueSeries(table) ? knownAtOf(table) : table.timestamps
  // An older month that is published late never hides a newer one.
  const order = [...stamps.keys()].sort((a, b) => stamps[a]! - stamps[b]! || a - b)
  return {
    name: symbol,
    kind,
    days: Int32Array.from(order, (row) => epochDayOf(stamps[row]!)),
    values: Float64Array.from(order, (row) => values[row]!),
  }
}
