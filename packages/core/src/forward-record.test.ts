import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type ChainEntry,
  chained,
  RECORD_FORMAT,
  type RecordFile,
  RECORD_VERSION,
  verifyRecord,
} from './forward-record.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const header = '{"name":"Momentum"}'

function recordOf(contents: readonly string[]): RecordFile {
  const entries: ChainEntry[] = []
  for (const content of contents) entries.push(chained(sha256, entries.at(-1)?.hash ?? sha256(header), content))
  return {
    format: RECORD_FORMAT,
    version: RECORD_VERSION,
    header,
    entries,
    head: entries.at(-1)?.hash ?? sha256(header),
  }
}
const content = (seq: number, more: object = {}) =>
  JSON.stringify({ seq, at: `2026-03-0${seq}T20:00:00.000Z`, weights: { SPY: 0.5 }, ...more })
const good = recordOf([1, 2, 3, 4].map((seq) => content(seq)))
const verify = (file: RecordFile) => verifyRecord(file, sha256)
const withEntries = (entries: readonly ChainEntry[]) => ({ ...good, entries })

describe('a record', () => {
  it('is whole as it was written, empty or not', () => {
    expect(verify(good)).toMatchObject({ isWhole: true, entries: 4, firstBad: null })
    expect(verify(recordOf([]))).toMatchObject({ isWhole: true, entries: 0 })
  })

  it.each([1, 2, 3, 4])('names entry %i when one character of it is changed', (number) => {
    const entries = good.entries.map((entry, i) =>
      i === number - 1 ? { ...entry, content: entry.content.replace('0.5', '0.6') } : entry,
    )
    expect(verify(withEntries(entries))).toMatchObject({ isWhole: false, firstBad: number })
  })

  it('names the next entry when a changed one was hashed anew', () => {
    const forged = chained(sha256, good.entries[1]!.previous, content(2, { weights: { SPY: 1 } }))
    expect(verify(withEntries([good.entries[0]!, forged, ...good.entries.slice(2)]))).toMatchObject({ firstBad: 3 })
  })

  it('notices what is removed, added, moved, cut off at the end, or renamed', () => {
    const [a, b, c, d] = good.entries as [ChainEntry, ChainEntry, ChainEntry, ChainEntry]
    expect(verify(withEntries([a, c, d])).firstBad).toBe(2)
    expect(verify(withEntries([a, b, b, c, d])).firstBad).toBe(3)
    expect(verify(withEntries([a, c, b, d])).firstBad).toBe(2)
    expect(verify(withEntries([a, b, c]))).toMatchObject({ isWhole: false, firstBad: 3 })
    expect(verify({ ...good, header: '{"name":"Other"}' })).toMatchObject({ isWhole: false, firstBad: 0 })
  })

  it('notices numbers and times that do not go on, although the hashes fit', () => {
    expect(verify(recordOf([content(1), content(3)]))).toMatchObject({ firstBad: 2 })
    expect(verify(recordOf([content(1, { at: '2026-03-09T00:00:00.000Z' }), content(2)])).firstBad).toBe(2)
    expect(verify(recordOf(['no JSON'])).firstBad).toBe(1)
  })
})
