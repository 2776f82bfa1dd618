/**
 * Model files: "TWML", the format version (u32), the header's length (u32), the header as JSON, padding to 8 bytes, then
 * the arrays that the header lists, each padded to 8 bytes; all little-endian.
 * A change of the layout or of what an array means needs a new version, and the old ones must keep loading.
 */
import { Problem } from '@tradewright/core/problem'

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
