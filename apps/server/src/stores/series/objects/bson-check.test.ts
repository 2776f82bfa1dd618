import { Binary, BSON, Long, ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { bsonFault } from './mongodb.ts'

const bson = (document: object): Buffer => Buffer.from(BSON.serialize(document))

it('lets pass what an honest server sends', () => {
  const piece = { _id: new ObjectId(), files_id: 'a', n: 0, data: new Binary(Buffer.alloc(2 ** 20)) }
  const answer = {
    cursor: { firstBatch: [piece, piece], id: Long.fromNumber(7), ns: 'market.data.chunks' },
    ok: 1,
    operationTime: new Date(0),
    nothing: null,
    flag: true,
    words: ['x', ''],
  }
  expect(bsonFault(bson(answer))).toBeUndefined()
  expect(bsonFault(bson({}))).toBeUndefined()
})

it('refuses elements without number', () => {
  expect(bsonFault(bson({ a: Array.from({ length: 99_000 }, () => 1) }))).toBeUndefined()
  expect(bsonFault(bson({ a: Array.from({ length: 100_001 }, () => 1) }))).toBe('a document of too many elements')
})

it('refuses nesting without end', () => {
  let deep: object = {}
  for (let depth = 0; depth < 30; depth++) deep = { deep }
  expect(bsonFault(bson(deep))).toBe('a document nested too deeply')
})

it('refuses patterns and code', () => {
  expect(bsonFault(bson({ pattern: /(a+)+$/ }))).toBe('an element of an unknown type or an impossible size')
})

it('refuses sizes that lead out of the document', () => {
  const honest = bson({ a: 'text', b: new Binary(Buffer.from('data')), c: { d: [1] } })
  for (const size of [-1, 2 ** 30, -(2 ** 31)]) {
    // The places of the sizes of the document, the text, the binary data, the inner document and its list.
    for (const at of [0, 7, 19, 31, 38]) {
      const changed = Buffer.from(honest)
      changed.writeInt32LE(size, at)
      expect(bsonFault(changed), `${size} at ${at}`).toBeDefined()
    }
  }
})

it('ends on any bytes', () => {
  const honest = bson({ a: 'text', b: [1, 2.5, null, true], c: { d: new Date(0) } })
  for (let at = 0; at < honest.length; at++) {
    for (const byte of [0, 1, 3, 127, 255]) {
      const changed = Buffer.from(honest)
      changed[at] = byte
      bsonFault(changed)
      bsonFault(honest.subarray(0, at))
    }
  }
})
