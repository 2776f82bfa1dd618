/** Elements of one answer: one that lists 7,000 files has 60,000, and the driver makes an object of each. */
const MAX_ELEMENTS = 100_000
const MAX_DEPTH = 20
const DOCUMENT = 3
const ARRAY = 4
const STRING = 2
const BINARY = 5
/** Types of a fixed size: double, undefined, ObjectId, boolean, date, null, int32, timestamp, int64, decimal128, keys. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
}

/**
 * The fault of a BSON document (bsonspec.org) for which the driver should not read it; undefined when there is none.
 * Jumps over texts and binary data, so that a large answer of few elements is looked at in no time. Patterns and code
 * are refused: they are in nothing that we ask for.
 */
export function bsonFault(bytes: Buffer): string | undefined {
  /** Where the documents end that the position is in, the innermost last. */
  const ends: number[] = []
  let at = 0
  let elements = 0
  const enter = (): boolean => {
    const size = at + 4 <= bytes.length ? bytes.readInt32LE(at) : 0
    const end = at + size
    if (size < 5 || end > (ends.at(-1) ?? bytes.length) || bytes[end - 1] !== 0) return false
    ends.push(end)
    at += 4
    return true
  }
  if (!enter() || ends[0] !== bytes.length) return 'a document of an impossible size'
  while (ends.length > 0) {
    const last = ends.at(-1)! - 1
    if (at === last) {
      at++
      ends.pop()
      continue
    }
    if (++elements > MAX_ELEMENTS) return 'a document of too many elements'
    const type = bytes[at]!
    const nameEnd = bytes.indexOf(0, at + 1)
    if (nameEnd < 0 || nameEnd >= last) return 'a document whose element has no end'
    at = nameEnd + 1
    if (type === DOCUMENT || type === ARRAY) {
      if (ends.length >= MAX_DEPTH) return 'a document nested too deeply'
      if (!enter()) return 'a document of an impossible size'
      continue
    }
    const size = valueBytes(bytes, type, at)
    if (size === undefined || at + size > last) return 'an element of an unknown type or an impossible size'
    at += size
  }
  return undefined
}

function valueBytes(bytes: Buffer, type: number, at: number): number | undefined {
  if (type !== STRING && type !== BINARY) return FIXED_BYTES[type]
  if (at + 4 > bytes.length) return undefined
  const size = bytes.readInt32LE(at)
  if (size < (type === STRING ? 1 : 0)) return undefined
  return 4 + size + (type === BINARY ? 1 : 0)
}
