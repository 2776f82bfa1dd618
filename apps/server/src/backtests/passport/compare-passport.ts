import { plainLine } from '@tradewright/core/plain-line'
import { Problem } from '@tradewright/core/problem'
import { formatDate, epochDayOf } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { isSynthetic } from '@tradewright/engine/backtest/provenance'
import type { BacktestResult } from '@tradewright/engine/backtest/result'
import { type SampleMarket, sampleMarket, sampleTickers } from '@tradewright/engine/market/sample/sample-market'
import type { SeriesTable } from '@tradewright/engine/market/series'
import type { Passport } from './passport.ts'
import {
  digestOfFigures,
  digestOfResult,
  digestOfTable,
  type FigureValue,
  type ResultDigest,
  type SeriesDigest,
} from './run-digest.ts'

/** Sentences, each naming the first value that differs; none where everything is the same to the last bit. */
export interface PassportVerdict {
  /**
   * What is wrong within the passport: its rows are not those of its checksums, or its figures not those of its digest.
   */
  readonly changed: readonly string[]
  /** Between the series of the passport and those of this instance. */
  readonly data: readonly string[]
  /** Between the figures of the passport and those of the new run. */
  readonly figures: readonly string[]
  readonly comparedFigures: number
  readonly comparedSeries: number
}

/** Shown; the rest follows from the first. */
const MAX_NAMED = 10

/** @param broken see `ReadPassport` */
export const brokenSentences = (broken: readonly string[]): string[] =>
  broken.slice(0, MAX_NAMED).map((path) => `${plainLine(path, 100)} was changed after the passport was made.`)

/** One whose values were changed may not run at all: then the changes are the verdict. */
export async function withBroken<Verdict extends PassportVerdict>(
  broken: readonly string[],
  runAgain: () => Promise<Verdict>,
): Promise<Verdict | PassportVerdict> {
  const sentences = brokenSentences(broken)
  try {
    const verdict = await runAgain()
    return { ...verdict, changed: [...sentences, ...verdict.changed] }
  } catch (error) {
    if (sentences.length === 0 || !(error instanceof Problem)) throw error
    return { changed: [...sentences, error.message], data: [], figures: [], comparedFigures: 0, comparedSeries: 0 }
  }
}

/** Whether the rows that a passport holds, and its figures, are those that its checksums are of. */
export function changedParts(
  passport: Passport,
  theirs: MarketData | undefined,
  ours: MarketData | undefined,
): string[] {
  const changed: string[] = []
  for (const stated of passport.series) {
    const table = theirs?.series.get(stated.ticker)
    const own = ours?.series.get(stated.ticker)
    const isOriginal = own && digestOfTable(own, ours?.actions?.get(stated.ticker)).sha256 === stated.sha256
    if (!stated.synthetic && ((table && isOfSampleMarket(table)) || (isOriginal && isSynthetic(own)))) {
      changed.push(`The passport calls ${stated.ticker} real data, but the rows are those of the sample market.`)
    }
    if (!table || digestOfTable(table, theirs?.actions?.get(stated.ticker)).sha256 === stated.sha256) continue
    const first = isOriginal ? firstDifference(table, own, 'it was made from') : undefined
    changed.push(`The rows of ${stated.ticker} were changed after the passport was made.${first ? ` ${first}` : ''}`)
  }
  if (digestOfFigures(passport.result) !== passport.result.sha256) {
    changed.push('The figures were changed after the passport was made: they do not match its digest.')
  }
  return changed
}

const SAMPLE_TICKERS: ReadonlySet<string> = new Set(sampleTickers)
let market: SampleMarket | undefined

/** A passport that is sealed again can call any rows real; those of the sample market are known everywhere. */
function isOfSampleMarket({ ticker, granularity, timestamps, columns }: SeriesTable): boolean {
  if (!SAMPLE_TICKERS.has(ticker) || timestamps.length === 0) return false
  market ??= sampleMarket()
  const sample = market.series(ticker, granularity, { from: timestamps[0]!, to: timestamps.at(-1)! + 1 })
  const name = columns['close'] ? 'close' : 'value'
  const [theirs, known] = [columns[name], sample?.columns[name]]
  return theirs !== undefined && known?.length === theirs.length && theirs.every((value, row) => value === known[row])
}

/** A sentence for each series that is not the same here. */
export function dataDifferences(
  { series }: Passport,
  theirs: MarketData | undefined,
  ours: MarketData | undefined,
): string[] {
  if (!ours) return []
  return series.flatMap((stated) => {
    const own = ours.series.get(stated.ticker)
    if (!own) return [`${stated.ticker}: this instance has no such series.`]
    const digest = digestOfTable(own, ours.actions?.get(stated.ticker))
    if (digest.sha256 === stated.sha256) return []
    const table = theirs?.series.get(stated.ticker)
    return [table ? (firstDifference(table, own, 'here') ?? sameRows(stated)) : withoutRows(stated, digest)]
  })
}

const sameRows = ({ ticker }: SeriesDigest): string =>
  `${ticker}: the rows of the passport and of this instance are the same, but not those of its checksum.`

function withoutRows(stated: SeriesDigest, own: SeriesDigest): string {
  const rows =
    stated.rows === own.rows
      ? `${own.rows.toLocaleString('en-US')} rows in both, with other values`
      : `${stated.rows.toLocaleString('en-US')} rows in the passport, ${own.rows.toLocaleString('en-US')} here`
  return `${stated.ticker}: ${rows}. A passport with rows would name the first value that differs.`
}

/** The first difference by time, then by column: `SPY close on 2020-03-02: 101.3 in the passport, 101.2 here.` */
function firstDifference(theirs: SeriesTable, ours: SeriesTable, where: string): string | undefined {
  const { ticker } = theirs
  const names = [...new Set([...Object.keys(theirs.columns), ...Object.keys(ours.columns)])].toSorted()
  const length = Math.max(theirs.timestamps.length, ours.timestamps.length)
  for (let i = 0; i < length; i += 1) {
    const [a, b] = [theirs.timestamps[i], ours.timestamps[i]]
    if (a !== b) {
      const first = Math.min(a ?? Infinity, b ?? Infinity)
      const has = first === a ? `in the passport and not ${where}` : `${where} and not in the passport`
      return `${ticker}: the row of ${instant(first)} is ${has}.`
    }
    for (const name of [...names, 'known_at']) {
      const [x, y] = [cell(theirs, name, i), cell(ours, name, i)]
      if (!Object.is(x, y))
        return `${ticker} ${name} on ${instant(a!)}: ${said(x)} in the passport, ${said(y)} ${where}.`
    }
  }
  return undefined
}

/** A NaN of a column is no value, like a column that is not there. */
const cell = (table: SeriesTable, name: string, row: number): number =>
  (name === 'known_at' ? table.knownAt : table.columns[name])?.[row] ?? Number.NaN

const DAY_MS = 86_400_000
const instant = (stamp: number): string =>
  stamp % DAY_MS === 0
    ? formatDate(epochDayOf(stamp))
    : `${new Date(stamp).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** What a new run has otherwise than the passport states: figures first, then the account, then everything else. */
export function figureDifferences({ result, account }: Passport, again: BacktestResult): string[] {
  const now = digestOfResult(again)
  const isSame = now.sha256 === result.sha256 && digestOfFigures(result) === result.sha256
  const ofAccount = account && accountDifference(account, again)
  return [
    ...(isSame ? [] : differingFigures(result, now)),
    ...(ofAccount === undefined ? [] : [ofAccount]),
    ...(isSame ? [] : differingColumns(result, now)),
  ].slice(0, MAX_NAMED)
}

function differingFigures({ figures: theirs }: ResultDigest, { figures: ours }: ResultDigest): string[] {
  const paths = pathsOf(theirs, ours).filter((path) => theirs[path] !== ours[path])
  return paths.map((path) => `${path}: ${said(theirs[path])} in the passport, ${said(ours[path])} in the new run.`)
}

function differingColumns({ columns: theirs }: ResultDigest, { columns: ours }: ResultDigest): string[] {
  return pathsOf(theirs, ours).flatMap((path) => {
    const [x, y] = [theirs[path], ours[path]]
    if (x?.sha256 === y?.sha256 && x?.count === y?.count) return []
    const counts = x?.count === y?.count ? `${x?.count} values in both` : `${x?.count ?? 0} and ${y?.count ?? 0} values`
    return [`${path}: other values in the new run (${counts}).`]
  })
}

function accountDifference(account: NonNullable<Passport['account']>, { curve }: BacktestResult): string | undefined {
  const length = Math.max(account.values.length, curve.values.length, account.days.length)
  for (let i = 0; i < length; i += 1) {
    const [theirs, ours] = [account.days[i], curve.days[i]]
    if (theirs !== ours) {
      const [a, b] = [theirs, ours].map((day) => (day === undefined ? 'no day' : formatDate(day)))
      return `Day ${i + 1} of the account: ${a} in the passport, ${b} in the new run.`
    }
    const x = account.values[i] ?? Number.NaN
    const y = curve.values[i] ?? Number.NaN
    if (x === y || (Number.isNaN(x) && Number.isNaN(y))) continue
    return `Account value on ${formatDate(theirs!)}: ${said(x)} in the passport, ${said(y)} in the new run.`
  }
  return undefined
}

const pathsOf = (a: object, b: object): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted()

/** Every digit: two values may differ in the last one. */
const said = (value: FigureValue | undefined): string =>
  value === undefined || value === null || Number.isNaN(value) ? 'no value' : String(value)

export const isIdentical = ({ changed, figures }: PassportVerdict): boolean => changed.length + figures.length === 0
