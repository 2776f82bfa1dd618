/**
 * The encoding of Parquet's metadata: Thrift's compact protocol, as far as files of passports need it.
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
type ThriftValue =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'i32' | 'i64'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly of: 'i32' | 'text' | 'struct'; readonly value: readonly ThriftValue[] }
  | { readonly kind: 'struct'; readonly value: ThriftStruct }

/** Fields by their ids, ascending. */
type ThriftStruct = readonly (readonly [id: number, value: ThriftValue])[]

const TYPES = { true: 1, false: 2, i32: 5, i64: 6, text: 8, list: 9, struct: 12 } as const
const LONG_LIST = 15

export const i32 = (value: number): ThriftValue => ({ kind: 'i32', value })
export const i64 = (value: number): ThriftValue => ({ kind: 'i64', value })
export const text = (value: string): ThriftValue => ({ kind: 'text', value })
export const struct = (...value: ThriftStruct): ThriftValue => ({ kind: 'struct', value })
export const list = (of: 'i32' | 'text' | 'struct', value: readonly ThriftValue[]): ThriftValue => ({
  kind: 'list',
  of,
  value,
})

export function encodeStruct(fields: ThriftStruct): Buffer {
  const bytes: number[] = []
  writeStruct(bytes, fields)
  return Buffer.from(bytes)
}

function writeStruct(bytes: number[], fields: ThriftStruct): void {
  let last = 0
  for (const [id, value] of fields) {
    bytes.push(((id - last) << 4) | typeOf(value))
    last = id
    // The type of a truth value is the value.
    if (value.kind !== 'bool') writeValue(bytes, value)
  }
  bytes.push(0)
}

const typeOf = (value: ThriftValue): number =>
  value.kind === 'bool' ? (value.value ? TYPES.true : TYPES.false) : TYPES[value.kind]

function writeValue(bytes: number[], value: Exclude<ThriftValue, { kind: 'bool' }>): void {
  if (value.kind === 'struct') writeStruct(bytes, value.value)
  else if (value.kind === 'text') {
    const encoded = Buffer.from(value.value)
    writeVarint(bytes, encoded.length)
    bytes.push(...encoded)
  } else if (value.kind === 'list') {
    const { length } = value.value
    bytes.push((Math.min(length, LONG_LIST) << 4) | TYPES[value.of])
    if (length >= LONG_LIST) writeVarint(bytes, length)
    for (const one of value.value) if (one.kind !== 'bool') writeValue(bytes, one)
    // Signs alternate in this encoding; ours are never negative.
  } else writeVarint(bytes, value.value * 2)
}

function writeVarint(bytes: number[], value: number): void {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}

/** A read value: of a struct its fields by id. */
export type ReadValue = boolean | number | string | readonly ReadValue[] | ReadFields
export type ReadFields = ReadonlyMap<number, ReadValue>

const MAX_DEPTH = 10

/** Throws a RangeError for bytes that this encoding does not have, or that end too early. */
export function decodeStruct(bytes: Buffer, start: number): { fields: ReadFields; end: number } {
  const reader = { bytes, at: start }
  return { fields: readStruct(reader, 0), end: reader.at }
}

interface Reader {
  readonly bytes: Buffer
  at: number
}

function readStruct(reader: Reader, depth: number): ReadFields {
  if (depth > MAX_DEPTH) throw new RangeError('the metadata nests too deeply')
  const fields = new Map<number, ReadValue>()
  for (let id = 0; ;) {
    const header = readByte(reader)
    if (header === 0) return fields
    const step = header >> 4
    id = step === 0 ? readSigned(reader) : id + step
    fields.set(id, readValue(reader, header & 15, depth))
  }
}

function readValue(reader: Reader, type: number, depth: number): ReadValue {
  switch (type) {
    case TYPES.true:
      return true
    case TYPES.false:
      return false
    case TYPES.i32:
    case TYPES.i64:
      return readSigned(reader)
    case TYPES.text:
      return readText(reader)
    case TYPES.list:
      return readList(reader, depth)
    case TYPES.struct:
      return readStruct(reader, depth + 1)
    default:
      throw new RangeError(`the metadata has a value of an unknown type ${type}`)
  }
}

function readList(reader: Reader, depth: number): ReadValue[] {
  const header = readByte(reader)
  const length = header >> 4 === LONG_LIST ? readVarint(reader) : header >> 4
  // Every entry takes a byte at least: no more values are made than there are bytes.
  if (length > reader.bytes.length - reader.at) throw new RangeError('the metadata ends too early')
  const type = header & 15
  // In a list, truth values are bytes of their own.
  if (type === TYPES.true || type === TYPES.false) {
    return Array.from({ length }, () => readByte(reader) === TYPES.true)
  }
  return Array.from({ length }, () => readValue(reader, type, depth + 1))
}

function readText(reader: Reader): string {
  const length = readVarint(reader)
  const end = reader.at + length
  if (end > reader.bytes.length) throw new RangeError('the metadata ends too early')
  const value = reader.bytes.toString('utf8', reader.at, end)
  reader.at = end
  return value
}

function readByte(reader: Reader): number {
  const byte = reader.bytes[reader.at++]
  if (byte === undefined) throw new RangeError('the metadata ends too early')
  return byte
}

function readVarint(reader: Reader): number {
  let [value, weight] = [0, 1]
  for (;;) {
    const byte = readByte(reader)
    value += (byte % 128) * weight
    if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('the metadata has a number that is too large')
    if (byte < 128) return value
    weight *= 128
  }
}

function readSigned(reader: Reader): number {
  const value = readVarint(reader)
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
