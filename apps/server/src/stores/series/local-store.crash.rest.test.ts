import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import { sliceRows } from '@tradewright/engine/market/layers/rows'
import { describe, expect, it } from 'vitest'
import { killWriter, withGenerationStore } from '../../../test-support/generation-store.ts'
import { GENERATION_TICKERS, generationBlocks } from '../../../test-support/store-writer-process.ts'

const mine = withGenerationStore()

describe('a local store in trouble', () => {
  it('gives its history up for current data when the disk is full', async (context) => {
    const disk = await mkdtemp(join(mine.root, 'tiny-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
    if (mounted.status !== 0) context.skip('a tiny disk can be mounted by root only')
    try {
      const store = await mine.open(0, join(disk, 'store'), { historyMs: 1e12 })
      await store.write('gold', generationBlocks(1))
      const first = Date.now()
      for (const generation of [2, 3]) await store.write('gold', generationBlocks(generation))
      const before = Date.now()
      expect([...(await mine.goldValues(store, first))]).toEqual([1])
      await writeFile(join(disk, 'ballast'), Buffer.alloc(10_000_000)).catch(() => {})
      await store.write('gold', generationBlocks(4))
      expect(await mine.generationIn(store)).toBe(4)
      await expect(mine.goldValues(store, first)).rejects.toMatchObject({ code: 'store.history' })
      expect([...(await mine.goldValues(store, before))]).toEqual([3])
      await store.purgeHistory!()
      expect(await mine.generationIn(await mine.open(0, join(disk, 'store')))).toBe(4)
    } finally {
      spawnSync('umount', [disk])
    }
  })

  it('never shows a reader half a write', async () => {
    await (await mine.open()).write('gold', generationBlocks(1))
    const writer = mine.startWriter(2)
    try {
      const reader = await mine.open()
      let last = 1
      for (let reads = 0; reads < 40; reads++) {
        const found = await mine.generationIn(reader)
        expect(found).toBeGreaterThanOrEqual(last)
        last = found
      }
    } finally {
      await killWriter(writer)
    }
  })

  it('lets two processes write one after the other and loses neither', async () => {
    const one = await mkdtemp(join(mine.root, 'shared-'))
    const [a, b] = [await mine.open(60_000, one), await mine.open(60_000, one)]
    const day = (index: number) => generationBlocks(1).map((block) => sliceRows(block, index, index + 1))
    const writes = Array.from({ length: 12 }, (_, i) => (i % 2 ? a : b).write('gold', day(i)))
    const counts = await Promise.all(writes)
    expect(counts.every(({ inserted }) => inserted === GENERATION_TICKERS.length)).toBe(true)
    expect(await a.counts()).toMatchObject({ gold: 12 * GENERATION_TICKERS.length })
    expect(await b.counts()).toMatchObject({ gold: 12 * GENERATION_TICKERS.length })
  })

  it('names a file that was cut short', async () => {
    await (await mine.open()).write('gold', generationBlocks(1))
    const [first] = globSync(join(mine.folder, 'gold', '**', '*.parquet')) as [string]
    await truncate(first, 200)
    await expect(mine.readGold(await mine.open())).rejects.toThrow(
      `The data store has a damaged file: ${relative(mine.folder, first)}.`,
    )
  })

  it('names a file whose bytes have changed', async () => {
    await (await mine.open()).write('gold', generationBlocks(1))
    const paths = globSync(join(mine.folder, 'gold', '**', '*.parquet'))
    const bytes = await readFile(paths[1]!)
    await writeFile(paths[1]!, bytes.fill(0xff, 4, 204))
    const failure = await mine.readGold(await mine.open()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Problem)
    expect((failure as Problem).message).toBe(`The data store has a damaged file: ${relative(mine.folder, paths[1]!)}.`)
  })

  it('says which file it has lost', async () => {
    await (await mine.open()).write('gold', generationBlocks(1))
    const [first] = globSync(join(mine.folder, 'gold', '**', '*.parquet')) as [string]
    await rm(first)
    const sentence = `The data store has lost a file: ${relative(mine.folder, first)}.`
    await expect(mine.readGold(await mine.open())).rejects.toThrow(sentence)
    await expect((await mine.open()).write('gold', generationBlocks(2))).rejects.toThrow(sentence)
  })

  it('does not let its files multiply', async () => {
    const store = await mine.open(0, mine.folder, { settings: { partitionStrategy: 'none', compression: 'snappy' } })
    for (let index = 0; index < 60; index++) {
      const timestamps = Float64Array.of(Date.UTC(2023, 0, 1) + index * DAY)
      const columns = { close: Float64Array.of(index + 1) }
      await store.write('gold', [{ ...generationBlocks(1)[0]!, timestamps, columns }])
    }
    expect(await store.counts()).toMatchObject({ gold: 60 })
    expect(globSync(join(mine.folder, 'gold', '*.parquet')).length).toBeLessThanOrEqual(8)
    const { rows } = await mine.test.pool.query(
      'SELECT FROM store_files JOIN store_catalogues ON id = catalogue_id WHERE store_id = $1',
      [mine.storeId],
    )
    expect(rows.length).toBeLessThanOrEqual(12)
  })

  it('keeps what it has when the disk is full, and says so', async (context) => {
    const disk = await mkdtemp(join(mine.root, 'tiny-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
    if (mounted.status !== 0) context.skip('a tiny disk can be mounted by root only')
    try {
      const store = await mine.open(0, join(disk, 'store'))
      await store.write('gold', generationBlocks(1))
      await writeFile(join(disk, 'ballast'), Buffer.alloc(10_000_000)).catch(() => {})
      const failure = await store.write('gold', generationBlocks(2)).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Problem)
      expect((failure as Problem).code).toBe('store.disk-full')
      expect((failure as Problem).message).toMatch(
        /^There is no room left for the data store "Mine".*what was there before is unharmed\.$/,
      )
      expect(await mine.generationIn(store)).toBe(1)
      await rm(join(disk, 'ballast'))
      await store.write('gold', generationBlocks(3))
      expect(await mine.generationIn(await mine.open(0, join(disk, 'store')))).toBe(3)
    } finally {
      spawnSync('umount', [disk])
    }
  })
})
