import { Problem } from '@tradewright/core/problem'
import { formatDate } from '@tradewright/core/time'
import type { Column } from '@tradewright/core/column'
import { shared, sharedBytes, sharedRows } from '@tradewright/core/shared-columns'
import { runConditions } from '../backtest/account-run.ts'
import { splicedNotes, type SplicedTicker, splicedTickers } from '../backtest/stand-ins.ts'
import { dataNotes } from '../backtest/data-notes.ts'
import { type DataSources, dataSourcesOf } from '../backtest/data-sources.ts'
import { continuationNote } from '../backtest/ended-tickers.ts'
import { fingerprintOf } from '../backtest/fingerprint.ts'
import type { MarketData } from '../backtest/market-data.ts'
import { planWindows } from '../backtest/ml-training.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import {
  provenanceOf,
  refuseMixedPrices,
  type SeriesProvenance,
  tradesSynthetic,
  usesOf,
} from '../backtest/provenance.ts'
import { riskFreeReturns } from '../backtest/risk-free.ts'
import { type RunPeriod, runPeriod } from '../backtest/run-period.ts'
import { simulationTable } from '../backtest/simulation-table.ts'
import { DecisionRows, targetRows, type SeriesSource } from '../features/feature-matrix.ts'
import { UNKNOWN_LABEL } from '../models/model.ts'
import { codeColumns, codeTable } from '../models/coded-matrix.ts'
import { definitionOf } from '../models/catalogue.ts'
import type { ModelChoice } from '../models/settings.ts'
import { rowRange } from '../models/splits.ts'
import { investedPct, targetWeights } from '../trading/allocation.ts'
import { withColumns } from '../trading/price-table.ts'
import { type SearchData, type SearchWindow, columnOf } from './search-data.ts'
import { type PlannedSearchTarget, type SearchPlan, searchUses } from './plan.ts'
import type { SearchRequest } from './request.ts'
import { barsOf, besideRows, type FeatureBars, readableBy } from '../features/feature.ts'
import type { PlannedFeature } from '../features/catalogue.ts'
import type { SeriesTable } from '../market/series.ts'

/** Columns of some candidates on the rows at which all of them have a value. */
interface ColumnPool {
  /** The gene of each column, ascending. */
  readonly genes: readonly number[]
  readonly usableRows: Int32Array
  /** Column after column, on shared memory. */
  readonly values: Float64Array
  readonly leftOut: readonly number[]
}

/** Each candidate computed once, on the rows of its own series, for however many targets join it to theirs. */
interface CandidateColumns {
  onRows(genes: readonly number[], decisions: DecisionRows): ColumnPool
}

/** Share of rows that a candidate may miss, at its start above all; beyond that it is left out rather than the rows. */
const MAX_MISSING = 0.1

function candidateColumns(
  candidates: readonly PlannedFeature[],
  seriesOf: SeriesSource,
  stop: () => void,
): CandidateColumns {
  const beside = new Map<string, FeatureBars>()
  const otherBars = (table: SeriesTable, { ticker, otherTicker }: PlannedFeature): FeatureBars | undefined => {
    if (otherTicker === undefined) return undefined
    const key = `${ticker} ${otherTicker}`
    const known = beside.get(key) ?? besideRows(table, seriesOf(otherTicker))
    beside.set(key, known)
    return known
  }
  const own = candidates.map((planned) => {
    stop()
    const table = readableBy(planned, seriesOf(planned.ticker))
    return { table, column: computed(planned, table, otherBars(table, planned)) }
  })
  return {
    onRows(genes, decisions) {
      const joined = genes.map((gene) => {
        stop()
        const { table, column } = own[gene]!
        return { gene, column: column && usable(decisions.join(table, column)) }
      })
      const kept = joined.flatMap(({ gene, column }) => (column ? [{ gene, column }] : []))
      kept.sort((a, b) => a.gene - b.gene)
      const usableRows = sharedRows(
        commonRows(
          kept.map(({ column }) => column),
          decisions.count,
        ),
      )
      return {
        genes: kept.map(({ gene }) => gene),
        usableRows,
        values: gathered(
          kept.map(({ column }) => column),
          usableRows,
        ),
        leftOut: joined.filter(({ column }) => !column).map(({ gene }) => gene),
      }
    },
  }
}

/** Undefined where the series does not have the feature's input, such as the volume of an index. */
function computed(
  { definition, values }: PlannedFeature,
  table: SeriesTable,
  other: FeatureBars | undefined,
): Column | undefined {
  try {
    return definition.compute({ bars: barsOf(table), other }, values)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** A column with too many holes is none; so is one that never changes, from which nothing can be learned. */
function usable(column: Column): Column | undefined {
  let missing = 0
  let first = Number.NaN
  let varies = false
  for (const value of column) {
    if (!Number.isFinite(value)) missing++
    else if (Number.isNaN(first)) first = value
    else if (value !== first) varies = true
  }
  return varies && missing <= MAX_MISSING * column.length ? column : undefined
}

function commonRows(columns: readonly Column[], count: number): number[] {
  const holes = new Uint8Array(count)
  for (const column of columns) for (let row = 0; row < count; row++) if (!Number.isFinite(column[row]!)) holes[row] = 1
  return Array.from({ length: count }, (_, row) => row).filter((row) => holes[row] === 0)
}

function gathered(columns: readonly Column[], rows: Int32Array): Float64Array {
  const values = new Float64Array(new SharedArrayBuffer(8 * columns.length * rows.length))
  columns.forEach((column, index) => {
    const from = index * rows.length
    for (let i = 0; i < rows.length; i++) values[from + i] = column[rows[i]!]!
  })
  return values
}

export interface PreparedSearch {
  readonly searches: readonly SearchData[]
  /** Candidates without a value over enough of the period, by name. */
  readonly leftOut: readonly string[]
  readonly riskFree: string
  readonly sources: DataSources
  readonly series: readonly SeriesProvenance[]
  /** The days that each target is tested on, in the order of the targets. */
  readonly periods: readonly RunPeriod[]
  /** What is odd about the prices, as sentences. */
  readonly dataNotes: readonly string[]
  readonly synthetic: boolean
  readonly spliced: readonly SplicedTicker[]
  readonly fingerprint: string
}

/** Coded cells of all windows, and raw ones: beyond that a search would not fit into memory. */
const MAX_CODED = 2 ** 28
const MAX_CELLS = 2 ** 25
/** Fewer rows are too few to train on. */
const MIN_ROWS = 40

/** Computes every column once. `stop` is asked between columns and steps, and throws to end the work. */
export function prepareSearch(plan: SearchPlan, data: MarketData, stop: () => void = () => undefined): PreparedSearch {
  const settings = plan.targets[0]!.backtest.settings
  const seriesSet = new SeriesSet(data, settings)
  stop()
  for (const { backtest } of plan.targets) {
    refuseMixedPrices(provenanceOf(data.series.values(), usesOf(backtest)), settings.allowMixedPrices)
  }
  const columns = candidateColumns(plan.candidates, (ticker) => seriesSet.anchored(ticker), stop)
  const parts = plan.targets.map((target, number) => arenaOf(plan, target, number, seriesSet, columns, stop))
  stop()
  const series = provenanceOf(seriesSet.used.values(), searchUses(plan))
  return {
    searches: parts.map(({ searchData }) => searchData),
    leftOut: [...new Set(parts.flatMap(({ leftOut }) => leftOut))],
    riskFree: parts[0]!.riskFree,
    sources: dataSourcesOf([...seriesSet.used.values()], settings),
    series,
    periods: parts.map(({ period }) => period),
    dataNotes: [
      ...new Set(parts.flatMap(({ continued }) => continued)),
      ...splicedNotes(splicedTickers(seriesSet.standIns), Math.min(...parts.map(({ period }) => period.from))),
      ...dataNotes(seriesSet.used.values(), settings.from, settings.to),
    ],
    synthetic: tradesSynthetic(series),
    spliced: splicedTickers(seriesSet.standIns),
    fingerprint: fingerprintOf(seriesSet.used.values()),
  }
}

function arenaOf(
  { request, candidates }: SearchPlan,
  { backtest, genes, asset }: PlannedSearchTarget,
  target: number,
  seriesSet: SeriesSet,
  columns: CandidateColumns,
  stop: () => void,
): { searchData: SearchData; leftOut: string[]; riskFree: string; period: RunPeriod; continued: string[] } {
  const { settings, strategy } = backtest
  const table = simulationTable(seriesSet, backtest.tradedTickers, settings)
  stop()
  const borrows = Math.max(investedPct(strategy.buy), investedPct(strategy.sell)) > 100
  const { borrowingCosts } = runConditions(seriesSet.lookUp, table, settings, borrows)
  const riskFree = riskFreeReturns(seriesSet, undefined, table)
  const decisions = new DecisionRows(table.decisionAt)
  stop()
  const pool = columns.onRows(genes, decisions)
  if (pool.genes.length === 0)
    throw nothingUsable(
      asset,
      pool.leftOut.map((gene) => candidates[gene]!.label),
    )
  const rows = pool.usableRows
  checkSize(rows.length, pool.genes.length, settings)
  const { labels } = targetRows(strategy.target, (ticker) => seriesSet.anchored(ticker), decisions)
  const known = Int8Array.from(rows, (bar) => labels[bar] ?? UNKNOWN_LABEL)
  const holdOutFrom = firstHeldOut(request, rows, table.prices.days)
  const searchData: SearchData = {
    target,
    horizon: strategy.horizon,
    settings,
    prices: withColumns(table.prices, shared),
    decisionAt: shared(table.decisionAt),
    calendarId: table.calendar.id,
    barsPerYear: table.barsPerYear,
    sessionAfter: table.sessionAfter,
    limitingTicker: table.limitingTicker,
    borrowingCosts: borrowingCosts && shared(borrowingCosts),
    riskFree: riskFree.returns && shared(riskFree.returns),
    weights: {
      buy: targetWeights(strategy.buy, table.prices.tickers),
      sell: targetWeights(strategy.sell, table.prices.tickers),
    },
    usableRows: rows,
    labels: sharedBytes(known),
    searchLabels: sharedBytes(withoutHoldOut(known, rows, holdOutFrom, strategy.horizon)),
    holdOutFrom,
    genes: Int32Array.from(pool.genes),
    values: pool.values,
    windows: [],
  }
  refuseOneLabel(searchData, strategy.target.label)
  const { windows } = planWindows(strategy, holdOutFrom)
  checkMemory(rows.length * pool.genes.length, windows.length)
  const coded = windows.map((window) => arenaWindow(searchData, window, request.model, stop))
  const leftOut = pool.leftOut.map((gene) => candidates[gene]!.label)
  const period = runPeriod(seriesSet, backtest.tradedTickers, table, settings)
  return {
    searchData: { ...searchData, windows: coded },
    leftOut,
    riskFree: riskFree.name,
    period,
    continued: [...table.continuations.map(continuationNote), ...table.notes],
  }
}

/** The first held-out row among the usable rows; their count where none is held out. */
function firstHeldOut({ holdOutFrom, holdOutPct }: SearchRequest, rows: Int32Array, days: Int32Array): number {
  if (holdOutFrom === undefined) return rows.length - Math.floor((rows.length * holdOutPct) / 100)
  const first = rows.findIndex((bar) => days[bar]! >= holdOutFrom)
  return first < 0 ? rows.length : first
}

/** A label that is known only with the hold-out's prices must stay unknown during the search. */
function withoutHoldOut(labels: Int8Array, rows: Int32Array, holdOutFrom: number, horizon: number): Int8Array {
  const end = rows[holdOutFrom] ?? Number.POSITIVE_INFINITY
  return labels.map((label, row) => (rows[row]! + horizon < end ? label : UNKNOWN_LABEL))
}

function arenaWindow(
  searchData: SearchData,
  { train, test }: Pick<SearchWindow, 'train' | 'test'>,
  model: ModelChoice,
  stop: () => void,
): SearchWindow {
  stop()
  const trainRows = rowRange(train.from, train.to)
  const testRows = rowRange(test.from, test.to)
  if (!definitionOf(model.kind).readsCodes) return { train, test, trainRows, testRows, codes: undefined }
  const columns = Array.from(searchData.genes, (_, column) => columnOf(searchData, column))
  return { train, test, trainRows, testRows, codes: codeTable(codeColumns(columns, trainRows, asksFirst(stop))) }
}

/** A question that never answers yes: `stop` throws instead. */
const asksFirst = (stop: () => void) => (): boolean => {
  stop()
  return false
}

function refuseOneLabel({ searchLabels, holdOutFrom }: SearchData, target: string): void {
  const seen = new Set(searchLabels.subarray(0, holdOutFrom))
  if (seen.has(0) && seen.has(1)) return
  throw invalid(
    'labels',
    `${target} is the same on every bar: there is nothing to learn. Choose another target or a longer range.`,
  )
}

function checkSize(rows: number, columns: number, { from, to }: { from: number; to: number }): void {
  if (rows < MIN_ROWS) {
    throw invalid(
      'rows',
      `There are only ${rows} bars with a value of every feature between ${formatDate(from)} and ${formatDate(to)}: ` +
        `at least ${MIN_ROWS} are needed.`,
    )
  }
  if (rows * columns > MAX_CELLS) throw tooLarge(rows, columns)
}

function checkMemory(cells: number, windows: number): void {
  if (cells * windows <= MAX_CODED) return
  throw new Problem(
    'too-large',
    'optimizer.too-large',
    `${windows} walk-forward windows over this many bars and features need too much memory: use a larger step, a coarser ` +
      'granularity or fewer feature values.',
  )
}

const tooLarge = (rows: number, columns: number) =>
  new Problem(
    'too-large',
    'optimizer.too-large',
    `${columns} candidate features on ${rows} bars need too much memory: use a coarser granularity, a shorter range or ` +
      'fewer feature values.',
  )

const nothingUsable = (asset: string, names: readonly string[]) =>
  invalid(
    'features',
    `No candidate feature of ${asset} has a value over the period: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and others' : ''}.`,
  )

const invalid = (field: string, message: string) => new Problem('invalid', `optimizer.${field}`, message)
