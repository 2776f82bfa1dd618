import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { isSynthetic } from '@tradewright/engine/backtest/provenance'
import type { BacktestResult } from '@tradewright/engine/backtest/result'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { createHash, type Hash } from 'node:crypto'

/** A series that a run read, by the SHA-256 of its rows. */
export interface SeriesDigest {
  readonly ticker: string
  readonly granularity: SeriesTable['granularity']
  readonly type: SeriesTable['type']
  readonly currency: string
  readonly rows: number
  readonly synthetic: boolean
  readonly sha256: string
}

/** A text stands for a number that JSON has no digits for: `NaN`, `Infinity`, `-0`. */
export type FigureValue = number | string | boolean | null

/** Everything that was computed, by its path in the result: `metrics.sharpe`. */
export interface ResultDigest {
  readonly sha256: string
  readonly figures: Readonly<Record<string, FigureValue>>
  /** Columns and long lists. */
  readonly columns: Readonly<Record<string, { readonly count: number; readonly sha256: string }>>
}

export interface RunDigest {
  readonly series: readonly SeriesDigest[]
  readonly result: ResultDigest
}

export const digestOfRun = (data: MarketData, result: BacktestResult): RunDigest => ({
  series: digestsOf(data),
  result: digestOfResult(result),
})

export const digestsOf = ({ series, actions }: MarketData): SeriesDigest[] =>
  [...series]
    .map(([symbol, table]) => digestOfTable(table, actions?.get(symbol)))
    .toSorted((a, b) => (a.ticker < b.ticker ? -1 : 1))

/** Neither when nor from whom the rows were collected: the same rows are the same series. */
export function digestOfTable(table: SeriesTable, actions: CorporateActions | undefined): SeriesDigest {
  const { ticker, granularity, type, currency, timestamps, columns, knownAt } = table
  const hash = createHash('sha256')
  addText(hash, JSON.stringify([ticker, granularity, type, currency]))
  addColumn(hash, timestamps)
  for (const name of Object.keys(columns).toSorted()) {
    addText(hash, name)
    addColumn(hash, columns[name]!)
  }
  if (knownAt) addColumn(hash, knownAt)
  addText(hash, actionsText(actions))
  const rows = timestamps.length
  return { ticker, granularity, type, currency, rows, synthetic: isSynthetic(table), sha256: hash.digest('hex') }
}

/** Pairs in a fixed order, and nothing where there are none. */
function actionsText(actions: CorporateActions | undefined): string {
  if (!actions || actions.splits.length + actions.dividends.length === 0) return ''
  const splits = actions.splits.map(({ exDay, ratio }) => [exDay, ratio])
  return JSON.stringify([splits, actions.dividends.map(({ exDay, amount }) => [exDay, amount])])
}

/** With its length before it, so that no two sequences of texts are the same bytes. */
const addText = (hash: Hash, text: string): Hash => hash.update(`${Buffer.byteLength(text)}:`).update(text)

type Numbers = Float64Array | Int32Array | Int8Array

function addColumn(hash: Hash, column: Numbers): void {
  // One writing of "no value": the bits of a NaN are not defined, and a copy may change them.
  const plain = Float64Array.from(column, (value) => (Number.isNaN(value) ? Number.NaN : value))
  hash.update(`${plain.length}:`).update(new Uint8Array(plain.buffer))
}

/** Longer lists are compared as a whole. */
const MAX_LISTED = 50

export function digestOfResult(result: BacktestResult): ResultDigest {
  // What was asked for and where the data came from is no result; notes are sentences about the data.
  const {
    settings: _1,
    sources: _2,
    revisedValues: _3,
    series: _4,
    synthetic: _5,
    fingerprint: _6,
    notes: _7,
    ...rest
  } = result
  const figures: [string, FigureValue][] = []
  const columns: [string, { count: number; sha256: string }][] = []
  const walk = (value: unknown, path: string): void => {
    if (value === undefined) return
    if (isColumn(value) || (Array.isArray(value) && value.length > MAX_LISTED)) {
      const hash = createHash('sha256')
      addAny(hash, value)
      columns.push([path, { count: value.length, sha256: hash.digest('hex') }])
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, part] of entriesOf(value)) walk(part, path === '' ? key : `${path}.${key}`)
    } else figures.push([path, figureOf(value)])
  }
  walk(rest, '')
  const all = { figures: Object.fromEntries(figures), columns: Object.fromEntries(columns) }
  return { ...all, sha256: digestOfFigures(all) }
}

export const digestOfFigures = ({ figures, columns }: Pick<ResultDigest, 'figures' | 'columns'>): string => {
  const listed = [entriesOf(figures), entriesOf(columns).map(([path, one]) => [path, one.count, one.sha256])]
  return createHash('sha256').update(JSON.stringify(listed)).digest('hex')
}

const isColumn = (value: unknown): value is Numbers =>
  value instanceof Float64Array || value instanceof Int32Array || value instanceof Int8Array

/** In an order that does not depend on how the object was made; lists in their own. */
const entriesOf = <Value>(value: Readonly<Record<string, Value>> | readonly Value[] | object): [string, Value][] =>
  Array.isArray(value)
    ? (value.map((one: Value, at) => [String(at), one]) as [string, Value][])
    : (Object.entries(value) as [string, Value][]).toSorted(([a], [b]) => (a < b ? -1 : 1))

function figureOf(value: unknown): FigureValue {
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) {
    return Object.is(value, -0) ? '-0' : String(value)
  }
  return value as FigureValue
}

function addAny(hash: Hash, value: unknown): void {
  if (isColumn(value)) addColumn(hash, value)
  else if (typeof value === 'object' && value !== null) {
    addText(hash, Array.isArray(value) ? `[${value.length}` : '{')
    for (const [key, part] of entriesOf(value)) {
      if (part === undefined) continue
      addText(hash, key)
      addAny(hash, part)
    }
  } else addText(hash, JSON.stringify(figureOf(value)))
}
