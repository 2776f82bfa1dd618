import type { ModelKind } from '@tradewright/core/model-catalogue'
import { Problem } from '@tradewright/core/problem'
import type { BoostingGrowth, BoostingJob } from './boosting/booster.ts'
import type { IsCancelled } from './cancellation.ts'
import type { CodedMatrix } from './coded-matrix.ts'
import type { ForestGrowth, ForestJob } from './forest/job.ts'
import { codeOf, MISSING_CODE } from './column-edges.ts'
import { rowRange } from './splits.ts'

/** Columns are given in the order in which the model was trained on them. */
export interface Model {
  readonly kind: ModelKind
  readonly columnCount: number
  /** Probability of label 1 for the given rows, or for all. */
  predict(columns: readonly Float64Array[], rows?: Int32Array): Float64Array
  /** How much the model relies on each column; they sum to 1, or are all 0 when it uses none. */
  importances(): Float64Array
  /** Which features moved the prediction of one row. */
  explain(columns: readonly Float64Array[], row: number): Explanation
  /** The model as bytes that `loadModel` turns back into a model with the same predictions. */
  save(): Uint8Array
}

export interface Explanation {
  readonly probability: number
  /** In which unit base and contributions add up: to the probability itself, or to its log-odds. */
  readonly unit: 'probability' | 'log-odds'
  /** The prediction without any feature. */
  readonly base: number
  /** Per column, in the same unit; base + their sum is the prediction (linear models then keep it within 0 and 1). */
  readonly contributions: Float64Array
}

/** Scaled to a sum of 1; zeros stay. */
export function normalised(amounts: Float64Array): Float64Array {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  return total > 0 ? amounts.map((amount) => amount / total) : amounts
}

/** What a model learns from. A model asks for values or for codes, and what it does not ask for is not computed. */
export interface TrainingData {
  /** The values of its columns, by row. */
  readonly columns: () => readonly Float64Array[]
  /** The columns as codes of bins. */
  readonly matrix: () => CodedMatrix
  /** Which columns of the matrix; all when absent. */
  readonly matrixColumns?: Int32Array
  readonly labels: Int8Array
  readonly trainRows: Int32Array
  readonly seed: number
  readonly isCancelled: IsCancelled
}

/** Grows a forest, in parts on any free threads; the growths may come in any order. */
export type GrowForest = (job: ForestJob, isCancelled: IsCancelled) => Promise<ForestGrowth[]>

/** Grows a boosted model, on this thread or together with others. */
export type GrowBoosted = (job: BoostingJob, isCancelled: IsCancelled) => Promise<BoostingGrowth>

/** Work that other threads may do. */
export interface Growers {
  readonly growForest: GrowForest
  readonly growBoosted: GrowBoosted
}

/** The same data, settings and seed give the same model to the last bit, wherever and on how many threads it is fitted. */
export interface ModelDefinition<Settings> {
  readonly defaults: Settings
  /** Trees read columns as codes of bins, which a search computes once for all of its fits. */
  readonly readsCodes: boolean
  /** Threads share the parts of one model; without, each takes a whole fit. */
  readonly isGrownInParts: boolean
  /** A model of this size is worth all threads, although it is not grown in parts. */
  isWorthAllThreads?(
    size: { trainRows: Int32Array; columns: { length: number } },
    settings: Settings,
    threads: number,
  ): boolean
  /** Fits on this thread. */
  fit(data: TrainingData, settings: Settings): Model
  /** Probabilities of rows, those of the fitted model; nothing of the model is kept. On this thread. */
  predict(data: TrainingData, settings: Settings, rows: Int32Array): Float64Array
  /** `fit` and `predict` with the help of other threads. */
  readonly onThreads?: {
    fit(data: TrainingData, settings: Settings, grow: Growers): Promise<Model>
    predict(data: TrainingData, settings: Settings, rows: Int32Array, grow: Growers): Promise<Float64Array>
  }
  /** Reads what `save` of its models wrote, now or in an older release. */
  load(file: ModelFile): Model
}

export function missingProblem(column: number): Problem {
  return new Problem(
    'invalid',
    'model.missing-value',
    `Feature ${column + 1} has missing values, which this kind of model cannot use.`,
  )
}

/** Warm-up rows may miss values as long as they are neither trained on nor predicted. */
export function refuseMissing(matrix: CodedMatrix, columns: Int32Array, ...rowLists: Int32Array[]): void {
  for (const column of columns) {
    if (matrix.hasMissing[column] !== true) continue
    const from = column * matrix.rowCount
    for (const rows of rowLists) {
      for (const row of rows) if (matrix.codes[from + row] === MISSING_CODE) throw missingProblem(column)
    }
  }
}

export function checkColumnCount(columns: readonly Float64Array[], expected: number): void {
  if (columns.length !== expected) {
    throw new RangeError(`the model was trained on ${expected} columns, not on ${columns.length}`)
  }
}

export function rowsToPredict(columns: readonly Float64Array[], rows?: Int32Array): Int32Array {
  return rows ?? rowRange(0, columns[0]?.length ?? 0)
}

/** The codes of the given rows, row after row. Infinite values are refused; missing ones get their own code. */
export function codeRows(
  columns: readonly Float64Array[],
  edges: readonly Float64Array[],
  rows: Int32Array,
  allowMissing: boolean,
): Uint8Array {
  checkColumnCount(columns, edges.length)
  const codes = new Uint8Array(rows.length * columns.length)
  columns.forEach((column, index) => {
    for (let i = 0; i < rows.length; i++) {
      const value = column[rows[i]!]
      if (value === undefined) throw new RangeError(`row ${rows[i]} lies outside the ${column.length} rows given`)
      if (Number.isNaN(value)) {
        if (!allowMissing) throw missingProblem(index)
        codes[i * columns.length + index] = MISSING_CODE
      } else if (Number.isFinite(value)) {
        codes[i * columns.length + index] = codeOf(value, edges[index]!)
      } else throw new Problem('invalid', 'model.infinite', `Feature ${index + 1} is infinite in row ${rows[i]! + 1}.`)
    }
  })
  return codes
}

/**
 * Model files: "TWML", the format version (u32), the header's length (u32), the header as JSON, padding to 8 bytes, then
 * the arrays that the header lists, each padded to 8 bytes; all little-endian.
 * A change of the layout or of what an array means needs a new version, and the old ones must keep loading.
 */
const FORMAT_VERSION = 1
const MAGIC = 0x4c4d5754

const ARRAY_TYPES = { i32: Int32Array, f64: Float64Array } as const
type ArrayType = keyof typeof ARRAY_TYPES
type ModelArray = Int32Array | Float64Array

interface Header {
  readonly kind: string
  readonly values: Readonly<Record<string, number>>
  readonly arrays: readonly { readonly name: string; readonly type: ArrayType; readonly length: number }[]
}

export interface ModelFile {
  readonly kind: string
  readonly values: Readonly<Record<string, number>>
  readonly arrays: Readonly<Record<string, ModelArray>>
}

const padded = (length: number) => Math.ceil(length / 8) * 8

export function writeModelFile(file: ModelFile): Uint8Array {
  const entries = Object.entries(file.arrays)
  const header: Header = {
    kind: file.kind,
    values: file.values,
    arrays: entries.map(([name, array]) => ({
      name,
      type: array instanceof Int32Array ? 'i32' : 'f64',
      length: array.length,
    })),
  }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const start = padded(12 + text.length)
  const bytes = new Uint8Array(entries.reduce((size, [, array]) => size + padded(array.byteLength), start))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, FORMAT_VERSION, true)
  view.setUint32(8, text.length, true)
  bytes.set(text, 12)
  let at = start
  for (const [, array] of entries) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at)
    at += padded(array.byteLength)
  }
  return bytes
}

export function damagedFile(cause?: unknown): Problem {
  return new Problem('invalid', 'model.file', 'This is not a model file, or it is damaged.', { cause })
}

export function readModelFile(bytes: Uint8Array): ModelFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12 || view.getUint32(0, true) !== MAGIC) throw damagedFile()
  const version = view.getUint32(4, true)
  if (version !== FORMAT_VERSION) {
    throw new Problem(
      'invalid',
      'model.file-version',
      `Model files of version ${version} cannot be read by this release.`,
    )
  }
  const headerLength = view.getUint32(8, true)
  const header = parseHeader(bytes.subarray(12, 12 + headerLength))
  const arrays: Record<string, ModelArray> = {}
  let at = padded(12 + headerLength)
  for (const { name, type, length } of header.arrays) {
    const Type = ARRAY_TYPES[type]
    const size = length * Type.BYTES_PER_ELEMENT
    if (!(length >= 0) || at + size > bytes.length) throw damagedFile()
    // A copy by hand: `slice` of Node's Buffer, which is a Uint8Array too, would share the memory it lies in.
    const copy = new Uint8Array(size)
    copy.set(bytes.subarray(at, at + size))
    arrays[name] = new Type(copy.buffer)
    at += padded(size)
  }
  return { kind: header.kind, values: header.values, arrays }
}

function parseHeader(bytes: Uint8Array): Header {
  let header: unknown
  try {
    header = JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw damagedFile(error)
  }
  if (!isHeader(header)) throw damagedFile()
  return header
}

function isHeader(value: unknown): value is Header {
  if (typeof value !== 'object' || value === null) return false
  const { kind, values, arrays } = value as Partial<Record<keyof Header, unknown>>
  return (
    typeof kind === 'string' &&
    typeof values === 'object' &&
    values !== null &&
    Object.values(values).every((number) => typeof number === 'number') &&
    Array.isArray(arrays) &&
    arrays.every((array: Partial<Header['arrays'][number]>) => {
      return (
        typeof array.name === 'string' && Object.hasOwn(ARRAY_TYPES, array.type ?? '') && Number.isInteger(array.length)
      )
    })
  )
}

export function int32Of(file: ModelFile, name: string): Int32Array {
  const array = file.arrays[name]
  if (!(array instanceof Int32Array)) throw damagedFile()
  return array
}

export function float64Of(file: ModelFile, name: string): Float64Array {
  const array = file.arrays[name]
  if (!(array instanceof Float64Array)) throw damagedFile()
  return array
}

export function valueOf(file: ModelFile, name: string): number {
  const value = file.values[name]
  if (value === undefined) throw damagedFile()
  return value
}

/** Columns of different lengths as one array of lengths and one of values. */
export function packColumns(columns: readonly Float64Array[]): { lengths: Int32Array; values: Float64Array } {
  const lengths = Int32Array.from(columns, (column) => column.length)
  const values = new Float64Array(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const column of columns) {
    values.set(column, at)
    at += column.length
  }
  return { lengths, values }
}

export function unpackColumns(lengths: Int32Array, values: Float64Array): Float64Array[] {
  let at = 0
  const columns = Array.from(lengths, (length) => values.slice(at, (at += length)))
  if (at !== values.length || lengths.some((length) => length < 0)) throw damagedFile()
  return columns
}

/** One label per row: 1 when the event happened, 0 when not, null while it is not known yet. */
type Labels = ArrayLike<number | null>

export const UNKNOWN_LABEL = -1

/** The labels as bytes that threads can share; -1 stands for unknown. */
export function encodeLabels(labels: Labels): Int8Array<SharedArrayBuffer> {
  const bytes = new Int8Array(new SharedArrayBuffer(labels.length))
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row]
    if (label === null) bytes[row] = UNKNOWN_LABEL
    else if (label === 0 || label === 1) bytes[row] = label
    else throw new Problem('invalid', 'model.label', `Label of row ${row + 1} must be 0, 1 or null, was ${label}.`)
  }
  return bytes
}

/** The rows whose label is known, in their order: unknown labels are not trained on. */
export function labelledRows(rows: Int32Array, labels: Int8Array): Int32Array {
  let known = 0
  for (let i = 0, count = rows.length; i < count; i++) if (labels[rows[i]!] !== UNKNOWN_LABEL) known++
  if (known === rows.length) return rows
  const kept = new Int32Array(new SharedArrayBuffer(4 * known))
  let at = 0
  for (const row of rows) if (labels[row] !== UNKNOWN_LABEL) kept[at++] = row
  return kept
}

export function checkLabels(labels: Int8Array, rowCount: number): void {
  if (labels.length !== rowCount) {
    throw new RangeError(`there are ${labels.length} labels for ${rowCount} rows`)
  }
}
