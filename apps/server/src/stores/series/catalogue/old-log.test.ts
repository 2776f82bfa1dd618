import { describe, expect, it } from 'vitest'
import { readOldLog } from './old-log.ts'

/** As the program wrote them when a store's log lay beside its files. */
const segment = (ticker: string, rows: number): unknown[] => [
  ticker,
  '1d',
  'close',
  'yahoo',
  'security',
  'USD',
  rows,
  0,
  86_400_000 * (rows - 1),
  5,
  5,
  0,
  1,
  2,
  123,
]
const named = (n: number, folder = 'gold') => `${folder}/${String(n).padStart(12, '0')}-0123456789ab.parquet`
const file = (n: number, more: object = {}) => ({
  path: named(n),
  bytes: 1_000,
  checksum: 0xdeadbeef,
  layer: 'gold',
  partition: '',
  rows: 3,
  segments: [segment('AAPL', 3)],
  ...more,
})
const change = (more: object = {}) => ({ add: [], remove: [], forget: [], at: 1, ...more })
const at = (version: number, kind = '') => `log/${String(version).padStart(12, '0')}${kind}.json`

const read = (entries: Record<string, unknown>) =>
  readOldLog({
    list: async () => Object.keys(entries),
    read: async (path) => {
      const entry = entries[path]
      return entry === undefined || typeof entry === 'string' ? entry : JSON.stringify(entry)
    },
  })

describe('the log that stores had beside their files', () => {
  it('is read to its newest state', async () => {
    const state = await read({
      [at(25)]: change(),
      [at(25, '.checkpoint')]: { files: [file(1), file(2)], retired: [[named(20), 7]] },
      [at(26)]: change({ add: [file(26)], remove: [named(1)], forget: [named(20)] }),
      'log/readme.txt': 'of no interest',
    })
    expect(state?.version).toBe(26)
    expect(state?.files.map(({ path }) => path)).toEqual([named(2), named(26)])
    expect(state?.retired).toEqual([named(1)])
    expect(state?.files[0]).toMatchObject({
      checksum: 'crc32:deadbeef',
      segments: [{ words: { ticker: 'AAPL', currency: 'USD' }, offset: 0, rows: 3, least: 1, greatest: 2 }],
    })
  })

  it('may be missing', async () => {
    expect(await read({})).toBeUndefined()
  })

  it('takes every partition that the writer makes', async () => {
    const partitions = ['date=2024', 'date=2024-05', 'date=before', 'ticker=BRK%2FB', 'date=2024/ticker=%2E%2E']
    const files = partitions.map((partition, n) => file(n, { partition, path: named(n, `gold/${partition}`) }))
    expect((await read({ [at(1)]: change({ add: files }) }))?.files).toHaveLength(5)
  })

  const outside = [
    '../../../../elsewhere/owned.txt',
    'gold/../../../elsewhere/000000000001-0123456789ab.parquet',
    '/etc/000000000001-0123456789ab.parquet',
    'gold\\..\\000000000001-0123456789ab.parquet',
    'gold/ticker=../000000000001-0123456789ab.parquet',
    'gold/ticker=a/b/c/000000000001-0123456789ab.parquet',
    'gold/000000000001-0123456789ab.parquet\0',
    'gold/000000000001-0123456789ab.parquet\n',
    'log/000000000001.json',
    'copper/000000000001-0123456789ab.parquet',
    'gold/./000000000001-0123456789ab.parquet',
    '',
  ]
  it.each(outside)('is refused with the path %j, wherever it names it', async (path) => {
    const refusal = /The log of the data store cannot be taken over: .* Nothing was changed\./
    await expect(read({ [at(1)]: change({ add: [file(1, { path })] }) })).rejects.toThrow(refusal)
    await expect(read({ [at(1)]: change({ remove: [path] }) })).rejects.toThrow(refusal)
    await expect(read({ [at(1)]: change({ forget: [path] }) })).rejects.toThrow(refusal)
    await expect(read({ [at(1, '.checkpoint')]: { files: [], retired: [[path, 1]] } })).rejects.toThrow(refusal)
  })

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a list as a text', change({ add: 'all' })],
    ['words more than it should have', change({ more: 1 })],
    ['a time as a text', change({ at: 'now' })],
    ['a size as a text', change({ add: [file(1, { bytes: '1000' })] })],
    ['a size of a terabyte', change({ add: [file(1, { bytes: 2 ** 40 })] })],
    ['a size below nothing', change({ add: [file(1, { bytes: -1 })] })],
    ['a checksum that is none', change({ add: [file(1, { checksum: 2 ** 32 })] })],
    ['a layer that its path is not in', change({ add: [file(1, { layer: 'silver' })] })],
    ['a partition that its path is not in', change({ add: [file(1, { partition: 'date=2024' })] })],
    ['rows that its segments do not have', change({ add: [file(1, { rows: 4 })] })],
    ['a segment without rows', change({ add: [file(1, { rows: 0, segments: [segment('A', 0)] })] })],
    ['a word that is a number', change({ add: [file(1, { segments: [[1, ...segment('A', 3).slice(1)]] })] })],
    ['a word of a megabyte', change({ add: [file(1, { segments: [segment('A'.repeat(1e6), 3)] })] })],
    ['a word with a line break', change({ add: [file(1, { segments: [segment('A\nB', 3)] })] })],
  ])('is refused with %s', async (_, entry) => {
    await expect(read({ [at(1)]: entry })).rejects.toThrow('is not what this program wrote')
  })

  it('is refused with a gap', async () => {
    await expect(read({ [at(1)]: change(), [at(3)]: change() })).rejects.toThrow('one of its entries is missing')
    await expect(read({ [at(999_999_999_999)]: change() })).rejects.toThrow('one of its entries is missing')
  })

  it('is refused with more entries than a log ever had', async () => {
    const entries = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [at(i + 1), change()]))
    await expect(read(entries)).rejects.toThrow('it has too many entries')
  })
})
