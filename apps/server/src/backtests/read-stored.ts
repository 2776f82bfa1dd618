import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { inTurns } from '../in-turns.ts'
import type { Columns, PackedColumn, PackedRows, Stored } from './stored.ts'

/** A stored value, with its columns to read: a value that is null or not finite is no value. */
export type Read<Value> = Value extends Columns
  ? ArrayLike<number | null>
  : Value extends readonly (infer Item)[]
    ? Read<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Read<Value[Key]> }
      : Value

const decompress = promisify(zstdDecompress)

export async function readStored<Value>(value: Stored<Value>): Promise<Read<Value>> {
  return (await readAny(value)) as Read<Value>
}

async function readAny(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value
  if (isPacked(value)) return unpacked(value)
  if (isPackedRows(value)) return unpackedRows(value)
  if (!hasPacked(value)) return value
  if (Array.isArray(value)) return Promise.all(value.map(readAny))
  const entries = Object.entries(value).map(async ([key, part]) => [key, await readAny(part)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

const isPackedRows = (value: object): value is PackedRows => 'rowColumns' in value
const isPacked = (value: object): value is PackedColumn => 'packed' in value

/** Lists of numbers and whatever else holds no packed column are taken as they are. */
function hasPacked(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return typeof value[0] === 'object' && value.some(hasPacked)
  return isPacked(value) || isPackedRows(value) || Object.values(value).some(hasPacked)
}

async function unpacked({ packed }: PackedColumn): Promise<Float64Array> {
  const bytes = await decompress(Buffer.from(packed, 'base64'))
  // A copy of its own: the bytes may lie anywhere in a larger buffer, and floats want to begin at a multiple of 8.
  return new Float64Array(Uint8Array.from(bytes).buffer)
}

async function unpackedRows({ rowCount, rowColumns }: PackedRows): Promise<Record<string, number | string>[]> {
  const columns = await Promise.all(
    Object.entries(rowColumns).map(async ([name, column]) => {
      const cells = await unpacked(column)
      const { words } = column
      return { name, cellAt: (row: number) => (words ? words[cells[row]!]! : cells[row]!) }
    }),
  )
  return inTurns(rowCount, (row) => Object.fromEntries(columns.map(({ name, cellAt }) => [name, cellAt(row)])))
}
