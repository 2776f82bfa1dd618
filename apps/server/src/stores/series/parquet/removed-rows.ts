import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type StoredColumn, noWrites } from '@tradewright/engine/market/layers/upsert'
import type { WriteCounts } from '@tradewright/engine/market/series-store'
import type { PackedRow } from '../catalogue/snapshot.ts'
import { rowCount, type Run, type RunColumn, takeRows, type SeriesKey, wordNames, isSameKey } from '../runs.ts'

/** So many records take a quarter of a megabyte at most, and a tenth of that as a rule. */
export const MAX_PACKED_ROWS = 4_096
/** So many small rows are packed into one. */
export const PACKED_TOGETHER = 32

/** Records that changes have removed, in the order of these changes: one stamp may be there more than once. */
export interface RemovedRun extends Run {
  readonly removedVersions: Float64Array
}

const COLUMNS = ['timestamps', 'values', 'knownAt', 'collectedAt', 'storedVersions', 'removedVersions'] as const
type Name = (typeof COLUMNS)[number]
const NUMBER_BYTES = 8
const FORMAT = 2

/** How the numbers of a column are written: whole multiples of `step` after `from`, as they are, or none. */
type Coding = readonly [step: number, from: number] | 'raw' | 'none'

/** A header of words, lengths and codings as JSON, then run by run and column by column the numbers; deflated. */
export function packRuns(runs: readonly RemovedRun[]): Buffer {
  const parts: Buffer[] = []
  const header = runs.map((run) => {
    const codings = COLUMNS.map((name) => {
      const { coding, data } = encode(columnOf(run, name))
      parts.push(data)
      return coding
    })
    return [...wordNames.map((name) => run.words[name]), run.column.timestamps.length, codings]
  })
  const text = Buffer.from(JSON.stringify({ format: FORMAT, runs: header }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return deflateRawSync(Buffer.concat([length, text, ...parts]), { level: 9 })
}

/** What a change removed, as it is packed. */
export const removedBy = (runs: readonly Run[], version: number): RemovedRun[] =>
  runs.map(({ words, column }) => ({
    words,
    column,
    removedVersions: new Float64Array(column.timestamps.length).fill(version),
  }))

/** One run per series; the packed ones are in the order of their changes. */
export function joinRemoved(packed: readonly (readonly RemovedRun[])[]): RemovedRun[] {
  const bySeries = Map.groupBy(packed.flat(), ({ words }) => JSON.stringify(wordNames.map((name) => words[name])))
  return Array.from(bySeries.values(), (runs) => {
    const join = (name: Name) => {
      const joined = new Float64Array(rowCount(runs))
      let at = 0
      for (const run of runs) {
        joined.set(columnOf(run, name), at)
        at += run.column.timestamps.length
      }
      return joined
    }
    return runOf(runs[0]!.words, join)
  })
}

/** Packs rows together, as many in one as its limit allows. */
export function packTogether(rows: readonly PackedRow[]): PackedRow[] {
  const groups: { rows: PackedRow[]; runs: RemovedRun[][]; records: number }[] = []
  for (const row of rows) {
    const runs = unpackRuns(row.data)
    const records = rowCount(runs)
    const group = groups.at(-1)
    if (group && group.records + records <= MAX_PACKED_ROWS) {
      group.rows.push(row)
      group.runs.push(runs)
      group.records += records
    } else groups.push({ rows: [row], runs: [runs], records })
  }
  return groups.map((group) => ({
    version: group.rows.at(-1)!.version,
    firstVersion: group.rows[0]!.firstVersion,
    records: group.records,
    data: packRuns(joinRemoved(group.runs)),
  }))
}

/** Unpacks a row of the catalogue. */
export function unpackRuns(deflated: Buffer): RemovedRun[] {
  const packed = inflateRawSync(deflated)
  const headerEnd = 4 + packed.readUInt32LE()
  const header = JSON.parse(packed.toString('utf8', 4, headerEnd)) as { runs: (string | number | Coding[])[][] }
  const reader = { packed, at: headerEnd }
  return header.runs.map((row) => {
    const [rows, codings] = row.slice(-2) as [number, Coding[]]
    const columns = Object.fromEntries(COLUMNS.map((name, i) => [name, decode(reader, codings[i]!, rows)]))
    return runOf(wordsOf(row), (name) => columns[name]!)
  })
}

const columnOf = ({ column, removedVersions }: RemovedRun, name: Name): Float64Array =>
  name === 'removedVersions' ? removedVersions : column[name]!

const wordsOf = (row: readonly unknown[]): SeriesKey =>
  Object.fromEntries(wordNames.map((name, i) => [name, row[i]])) as unknown as SeriesKey

function runOf(words: SeriesKey, valuesOf: (name: Name) => Float64Array): RemovedRun {
  const { removedVersions, ...column } = Object.fromEntries(COLUMNS.map((name) => [name, valuesOf(name)]))
  return { words, column: column as unknown as RunColumn, removedVersions: removedVersions! }
}

/** Prices have a few decimals, instants are whole days, seconds or milliseconds: their differences are small integers. */
const STEPS = [86_400_000, 1_000, 1, 0.01, 0.0001, 0.000001]
const MAX_MULTIPLE = 2 ** 52

function encode(values: Float64Array): { coding: Coding; data: Buffer } {
  if (values.every((value) => Number.isNaN(value))) return { coding: 'none', data: Buffer.alloc(0) }
  const [from = 0] = values
  for (const step of STEPS) {
    const multiples = multiplesOf(values, step, from)
    if (multiples) return { coding: [step, from], data: variableLength(multiples) }
  }
  return { coding: 'raw', data: doubles(values) }
}

/** Undefined where a number would not come back to the last bit. */
function multiplesOf(values: Float64Array, step: number, from: number): number[] | undefined {
  const scale = scaleOf(step)
  const first = scale(from)
  const multiples: number[] = []
  for (const value of values) {
    const multiple = scale(value) - first
    if (!(Math.abs(multiple) <= MAX_MULTIPLE) || !Object.is(valueOf(step, from, multiple), value)) return undefined
    multiples.push(multiple)
  }
  return multiples
}

/** Dividing by a whole number is exact where multiplying by a fraction is not. */
const scaleOf = (step: number) => {
  const parts = Math.round(1 / step)
  return step < 1 ? (value: number) => Math.round(value * parts) : (value: number) => Math.round(value / step)
}

function valueOf(step: number, from: number, multiple: number): number {
  if (step >= 1) return from + multiple * step
  const parts = Math.round(1 / step)
  return (Math.round(from * parts) + multiple) / parts
}

function doubles(values: Float64Array): Buffer {
  const data = Buffer.alloc(values.length * NUMBER_BYTES)
  values.forEach((value, i) => data.writeDoubleLE(value, i * NUMBER_BYTES))
  return data
}

/** Differences, the sign in the lowest bit, seven bits to a byte. */
function variableLength(multiples: readonly number[]): Buffer {
  const bytes: number[] = []
  let before = 0
  for (const multiple of multiples) {
    const difference = multiple - before
    before = multiple
    let left = difference < 0 ? -2 * difference - 1 : 2 * difference
    for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
    bytes.push(left)
  }
  return Buffer.from(bytes)
}

function decode(reader: { readonly packed: Buffer; at: number }, coding: Coding, rows: number): Float64Array {
  const double = () => {
    reader.at += NUMBER_BYTES
    return reader.packed.readDoubleLE(reader.at - NUMBER_BYTES)
  }
  if (coding === 'none') return new Float64Array(rows).fill(Number.NaN)
  if (coding === 'raw') return Float64Array.from({ length: rows }, double)
  const [step, from] = coding
  let multiple = 0
  return Float64Array.from({ length: rows }, () => {
    multiple += difference(reader)
    return valueOf(step, from, multiple)
  })
}

function difference(reader: { readonly packed: Buffer; at: number }): number {
  let [coded, place] = [0, 1]
  for (let byte = 128; byte >= 128; place *= 128) {
    byte = reader.packed[reader.at++]!
    coded += (byte % 128) * place
  }
  return coded % 2 === 1 ? -(coded + 1) / 2 : coded / 2
}

/** A run that was read from a file: `rowNumbers` tell from which rows. */
export interface StoredRun extends Run {
  readonly path: string
  readonly rowNumbers: Float64Array
}

/** Row numbers, by file, whose records something newer replaces. */
export type DroppedRows = Map<string, Set<number>>

interface Difference {
  /** Records to add: the new ones and the corrections. */
  readonly fresh: readonly Run[]
  readonly counts: WriteCounts
}

/** Compares runs of one key with what is stored under it, and notes in `dropped` which stored rows are replaced. */
export function compareWithStored(
  incoming: readonly Run[],
  stored: readonly StoredRun[],
  dropped: DroppedRows,
): Difference {
  const counts = { ...noWrites }
  const fresh: Run[] = []
  for (const run of incoming) {
    const isUnchanged = new Uint8Array(run.column.timestamps.length)
    let replaced = 0
    for (const rival of stored) replaced += compareRuns(run, rival, isUnchanged, dropped)
    const unchanged = isUnchanged.reduce((sum, flag) => sum + flag, 0)
    counts.replaced += replaced
    counts.unchanged += unchanged
    counts.inserted += isUnchanged.length - unchanged - replaced
    const left = withoutUnchanged(run, isUnchanged, unchanged)
    if (left) fresh.push(left)
  }
  return { fresh, counts }
}

/** Gives the number of stored rows that the run replaces. */
function compareRuns(run: Run, rival: StoredRun, isUnchanged: Uint8Array, dropped: DroppedRows): number {
  const haveSameWords = isSameKey(run.words, rival.words)
  const [own, other] = [run.column, rival.column]
  let rowNumbers: Float64Array | undefined
  let replaced = 0
  for (let i = 0, k = 0; i < own.timestamps.length && k < other.timestamps.length;) {
    if (own.timestamps[i]! < other.timestamps[k]!) i++
    else if (own.timestamps[i]! > other.timestamps[k]!) k++
    else {
      if (haveSameWords && isSameRecord(own, i, other, k)) isUnchanged[i] = 1
      else {
        rowNumbers ??= rival.rowNumbers
        dropRow(dropped, rival.path, rowNumbers[k]!)
        replaced++
      }
      i++
      k++
    }
  }
  return replaced
}

const isSameRecord = (a: StoredColumn, i: number, b: StoredColumn, k: number): boolean =>
  a.values[i] === b.values[k] && Object.is(a.knownAt[i], b.knownAt[k])

export function dropRow(dropped: DroppedRows, path: string, row: number): void {
  const rows = dropped.get(path) ?? new Set()
  dropped.set(path, rows.add(row))
}

function withoutUnchanged(run: Run, isUnchanged: Uint8Array, unchanged: number): Run | undefined {
  if (unchanged === 0) return run
  if (unchanged === isUnchanged.length) return undefined
  const rows = [...isUnchanged.keys()].filter((row) => isUnchanged[row] === 0)
  return { words: run.words, column: takeRows(run.column, rows) }
}
