import { zstdCompressSync } from 'node:zlib'

export type Columns = Float64Array | Int32Array | Int8Array

/** A long column: its values as compressed 64-bit floats, in base64. As digits they would hold up whoever reads them. */
export interface PackedColumn {
  readonly packed: string
}

/** A value as JSON can keep it: columns are lists or packed, and NaN, which says "no value", is null. */
export type Stored<Value> = Value extends Columns
  ? (number | null)[] | PackedColumn
  : Value extends readonly (infer Item)[]
    ? Stored<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Stored<Value[Key]> }
      : Value

/** From here on reading digits takes longer than a request may; below, anybody can read the row in the database. */
export const PACKED_FROM = 10_000

const isColumn = (value: object): value is Columns =>
  value instanceof Float64Array || value instanceof Int32Array || value instanceof Int8Array

export function stored<Value>(value: Value): Stored<Value> {
  return storedAny(value) as Stored<Value>
}

function storedAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isColumn(value)) return value.length < PACKED_FROM ? listed(value) : packed(value)
  if (Array.isArray(value)) return value.map(storedAny)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, storedAny(part)]))
}

const listed = (column: Columns) =>
  Array.from<number, number | null>(column, (one) => (Number.isFinite(one) ? one : null))

function packed(column: Columns): PackedColumn {
  const floats = Float64Array.from(column)
  return { packed: zstdCompressSync(new Uint8Array(floats.buffer)).toString('base64') }
}
