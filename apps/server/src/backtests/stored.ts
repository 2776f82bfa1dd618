import { zstdCompressSync } from 'node:zlib'

export type Columns = Float64Array | Int32Array | Int8Array

/** A long column: its values as compressed 64-bit floats, in base64. As digits they would take too long to parse. */
export interface PackedColumn {
  readonly packed: string
}

/** A long list of rows, a packed column for each name; a text is its place in `words`. */
export interface PackedRows {
  readonly rowCount: number
  readonly rowColumns: Readonly<Record<string, PackedColumn & { readonly words?: readonly string[] }>>
}

/** A value as JSON can keep it: columns are lists or packed, and NaN, which says "no value", is null. */
export type Stored<Value> = Value extends Columns
  ? (number | null)[] | PackedColumn
  : Value extends readonly (infer Item)[]
    ? Stored<Item>[] | (Item extends string | number ? never : PackedRows)
    : Value extends object
      ? { [Key in keyof Value]: Stored<Value[Key]> }
      : Value

/** From here on reading digits takes longer than a request may; below, the row stays readable in the database. */
export const PACKED_FROM = 10_000

const isColumn = (value: object): value is Columns =>
  value instanceof Float64Array || value instanceof Int32Array || value instanceof Int8Array

export function stored<Value>(value: Value): Stored<Value> {
  return storedAny(value) as Stored<Value>
}

function storedAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isColumn(value)) return value.length < PACKED_FROM ? listed(value) : packed(value)
  if (Array.isArray(value)) return packedRows(value) ?? value.map(storedAny)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, storedAny(part)]))
}

const listed = (column: Columns) =>
  Array.from<number, number | null>(column, (one) => (Number.isFinite(one) ? one : null))

/** Undefined where the list is short, or its rows are not of numbers and texts under the same names. */
function packedRows(list: readonly unknown[]): PackedRows | undefined {
  if (list.length < PACKED_FROM || typeof list[0] !== 'object' || list[0] === null) return undefined
  const names = Object.keys(list[0])
  const rows = list as readonly Record<string, unknown>[]
  if (!rows.every((row) => Object.keys(row).length === names.length)) return undefined
  const columns: [string, PackedRows['rowColumns'][string]][] = []
  for (const name of names) {
    const column = packedCells(rows.map((row) => row[name]))
    if (!column) return undefined
    columns.push([name, column])
  }
  return { rowCount: rows.length, rowColumns: Object.fromEntries(columns) }
}

function packedCells(cells: readonly unknown[]): PackedRows['rowColumns'][string] | undefined {
  if (cells.every((cell) => typeof cell === 'number' && Number.isFinite(cell))) return packed(Float64Array.from(cells))
  if (!cells.every((cell) => typeof cell === 'string')) return undefined
  const places = new Map<string, number>()
  const numbered = cells.map((word) => places.getOrInsertComputed(word, () => places.size))
  return { ...packed(Float64Array.from(numbered)), words: [...places.keys()] }
}

function packed(column: Columns): PackedColumn {
  const floats = Float64Array.from(column)
  return { packed: zstdCompressSync(new Uint8Array(floats.buffer)).toString('base64') }
}
