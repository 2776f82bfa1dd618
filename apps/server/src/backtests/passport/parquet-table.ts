import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  decodeStruct,
  encodeStruct,
  i32,
  i64,
  list,
  type ReadFields,
  type ReadValue,
  struct,
  text,
} from './thrift-compact.ts'

/**
 * Parquet files of one kind: a column of instants, columns of 64-bit floats without gaps, plain values compressed with
 * Zstandard. Every Parquet reader reads them; ours reads these alone, so that a foreign file meets a few lines of ours
 * instead of a library. https://github.com/apache/parquet-format
 */
interface ParquetTable {
  /** Milliseconds since 1970 in UTC, whole numbers. */
  readonly timestamps: Float64Array
  /** In their order. */
  readonly columns: readonly (readonly [name: string, values: Float64Array])[]
}

const MAGIC = Buffer.from('PAR1')
/** Numbers that the Parquet format gives to types, encodings and codecs. */
const [INT64, DOUBLE, REQUIRED, PLAIN, RLE, ZSTD, DATA_PAGE, TIMESTAMP_MILLIS] = [2, 5, 0, 0, 3, 6, 0, 9]
const VALUE_BYTES = 8
/** Names of 64 columns take a few thousand bytes. */
const MAX_FOOTER_BYTES = 64 * 1024
/** Page headers of our own files take thirty bytes. */
const MAX_PAGE_HEADER_BYTES = 256

interface WrittenColumn {
  readonly name: string
  readonly isInstant: boolean
  readonly offset: number
  readonly plainBytes: number
  readonly packedBytes: number
}

export function writeParquetTable({ timestamps, columns }: ParquetTable): Buffer {
  const rows = timestamps.length
  const parts: Buffer[] = [MAGIC]
  let offset = MAGIC.length
  const written = [['timestamp', timestamps] as const, ...columns].map(([name, values], index): WrittenColumn => {
    const isInstant = index === 0
    const packed = zstdCompressSync(isInstant ? instantBytes(values) : doubleBytes(values))
    const header = pageHeader(rows, packed.length)
    parts.push(header, packed)
    const [start, packedBytes] = [offset, header.length + packed.length]
    offset += packedBytes
    return { name, isInstant, offset: start, plainBytes: header.length + rows * VALUE_BYTES, packedBytes }
  })
  const footer = fileMetadata(written, rows)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([...parts, footer, length, MAGIC])
}

const pageHeader = (rows: number, packedBytes: number): Buffer =>
  encodeStruct([
    [1, i32(DATA_PAGE)],
    [2, i32(rows * VALUE_BYTES)],
    [3, i32(packedBytes)],
    [5, struct([1, i32(rows)], [2, i32(PLAIN)], [3, i32(RLE)], [4, i32(RLE)])],
  ])

function fileMetadata(columns: readonly WrittenColumn[], rows: number): Buffer {
  const schema = [struct([4, text('series')], [5, i32(columns.length)]), ...columns.map(schemaElement)]
  const chunks = columns.map(({ name, isInstant, offset, plainBytes, packedBytes }) =>
    struct(
      [2, i64(offset)],
      [
        3,
        struct(
          [1, i32(isInstant ? INT64 : DOUBLE)],
          [2, list('i32', [i32(PLAIN)])],
          [3, list('text', [text(name)])],
          [4, i32(ZSTD)],
          [5, i64(rows)],
          [6, i64(plainBytes)],
          [7, i64(packedBytes)],
          [9, i64(offset)],
        ),
      ],
    ),
  )
  const bytes = columns.reduce((sum, { plainBytes }) => sum + plainBytes, 0)
  return encodeStruct([
    [1, i32(1)],
    [2, list('struct', schema)],
    [3, i64(rows)],
    [4, list('struct', [struct([1, list('struct', chunks)], [2, i64(bytes)], [3, i64(rows)])])],
    [6, text('tradewright')],
  ])
}

const UTC_MILLIS = struct([8, struct([1, { kind: 'bool', value: true }], [2, struct([1, struct()])])])

const schemaElement = ({ name, isInstant }: WrittenColumn) =>
  isInstant
    ? struct([1, i32(INT64)], [3, i32(REQUIRED)], [4, text(name)], [6, i32(TIMESTAMP_MILLIS)], [10, UTC_MILLIS])
    : struct([1, i32(DOUBLE)], [3, i32(REQUIRED)], [4, text(name)])

const doubleBytes = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

function instantBytes(stamps: Float64Array): Uint8Array {
  return new Uint8Array(BigInt64Array.from(stamps, (stamp) => BigInt(stamp)).buffer)
}

/** What a file says of itself, before anything is unpacked. */
interface ParquetDescription {
  readonly rows: number
  readonly columns: readonly { readonly name: string; readonly isInstant: boolean; readonly offset: number }[]
}

/** Throws a RangeError for a file of another kind, or a damaged one. */
export function describeParquet(file: Buffer): ParquetDescription {
  const end = file.length - MAGIC.length - 4
  if (end < MAGIC.length || !file.subarray(0, 4).equals(MAGIC) || !file.subarray(-4).equals(MAGIC)) {
    throw new RangeError('this is no Parquet file')
  }
  const length = file.readUInt32LE(end)
  if (length > Math.min(end - MAGIC.length, MAX_FOOTER_BYTES)) throw new RangeError('the footer is too long')
  const { fields } = decodeStruct(file.subarray(0, end), end - length)
  const rows = numberIn(fields, 3)
  const [group, ...others] = structsIn(fields, 4)
  if (!group || others.length > 0 || numberIn(group, 3) !== rows)
    throw new RangeError('there is more than one row group')
  const elements = structsIn(fields, 2).slice(1)
  const columns = structsIn(group, 1).map((chunk, index) => {
    const meta = structIn(chunk, 3)
    const type = numberIn(meta, 1)
    const [name] = meta.get(3) as readonly ReadValue[]
    const isPlain = numberIn(meta, 4) === ZSTD && numberIn(meta, 5) === rows && (type === INT64 || type === DOUBLE)
    const isSame = elements[index]?.get(4) === name && numberIn(elements[index]!, 3) === REQUIRED
    if (!isPlain || !isSame || typeof name !== 'string') throw new RangeError('a column is of another kind')
    return { name, isInstant: type === INT64, offset: numberIn(meta, 9) }
  })
  const hasShape = columns.length >= 1 && columns.every(({ isInstant }, index) => isInstant === (index === 0))
  if (!hasShape || columns[0]!.name !== 'timestamp') throw new RangeError('the columns are of another kind')
  return { rows, columns }
}

/** Throws a RangeError for a file of another kind, or a damaged one. */
export function readParquetTable(file: Buffer, { rows, columns }: ParquetDescription): ParquetTable {
  const [timestamps, ...values] = columns.map(({ name, isInstant, offset }) => {
    const bytes = readPage(file, offset, rows)
    const column = isInstant ? Float64Array.from(new BigInt64Array(bytes), Number) : new Float64Array(bytes)
    return [name, column] as const
  })
  return { timestamps: timestamps![1], columns: values }
}

function readPage(file: Buffer, offset: number, rows: number): ArrayBuffer {
  if (offset < 0) throw new RangeError('a page lies before the file')
  const header = file.subarray(offset, offset + MAX_PAGE_HEADER_BYTES)
  const { fields, end: length } = decodeStruct(header, 0)
  const end = offset + length
  const [plain, packed] = [numberIn(fields, 2), numberIn(fields, 3)]
  const isPlain = numberIn(fields, 1) === DATA_PAGE && numberIn(structIn(fields, 5), 2) === PLAIN
  if (!isPlain || plain !== rows * VALUE_BYTES || packed < 0 || end + packed > file.length) {
    throw new RangeError('a page is of another kind')
  }
  const bytes = zstdDecompressSync(file.subarray(end, end + packed), { maxOutputLength: Math.max(1, plain) })
  if (bytes.length !== plain) throw new RangeError('a page has another length than it says')
  return Uint8Array.from(bytes).buffer
}

function numberIn(fields: ReadFields, id: number): number {
  const value = fields.get(id)
  if (typeof value !== 'number') throw new RangeError(`the metadata lacks field ${id}`)
  return value
}

function structIn(fields: ReadFields, id: number): ReadFields {
  const value = fields.get(id)
  if (!(value instanceof Map)) throw new RangeError(`the metadata lacks field ${id}`)
  return value as ReadFields
}

function structsIn(fields: ReadFields, id: number): ReadFields[] {
  const value = fields.get(id)
  if (!Array.isArray(value) || !value.every((one) => one instanceof Map)) {
    throw new RangeError(`the metadata lacks field ${id}`)
  }
  return value as ReadFields[]
}
