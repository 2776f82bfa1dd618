import { expect, it } from 'vitest'
import { decodeStruct } from './thrift-compact.ts'

const FIELD_1_LIST = 0x19
const LIST = 9
const TRUE = 1
const LONG = 0xf0

it('makes no more values of metadata than it has bytes: lists of truth values take one each', () => {
  // Lists within a list, each of which says that it has as many truth values as bytes follow.
  const inner = [LONG | TRUE, 0xe8, 0x07]
  const lists = Array.from({ length: 400 }, () => inner).flat()
  const bytes = Buffer.from([FIELD_1_LIST, LONG | LIST, 0x90, 0x03, ...lists, ...new Uint8Array(1_000)])
  expect(() => decodeStruct(bytes, 0)).toThrow(RangeError)
  const { fields } = decodeStruct(Buffer.from([FIELD_1_LIST, (3 << 4) | TRUE, 1, 2, 1, 0]), 0)
  expect(fields.get(1)).toEqual([true, false, true])
})
