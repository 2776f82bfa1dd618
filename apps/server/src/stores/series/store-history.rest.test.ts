import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE } from '@tradewright/core/time'
import { memorySeriesStore } from '@tradewright/engine/market/memory-store/memory-series-store'
import { layers } from '@tradewright/engine/market/series'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { dailyBlock } from '@tradewright/engine/market/test-support/series-store-suite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browseQuery, bySeries, readAll, type Step, step, take } from '../../../test-support/series-store-suite.ts'
import { storePlaces } from '../../../test-support/store-places.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { ContainedFolder } from './contained-folder.ts'
import { localSeriesStore, type LocalStoreParts } from './local-store.ts'
import { Duck } from './parquet/duck.ts'
import { processLock } from './writer-lock.ts'

/** `npm run campaign` compares more. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 6)
const START = Date.UTC(2025, 0, 1)
const RETENTION_MS = 6 * MINUTE
const NEVER = 1e12

/** A step of a store, or the removal of history that is too old. A minute passes after each. */
type HistoryStep = Step | { kind: 'purge' }

describe('the history of a store', () => {
  let root: string
  let duck: Duck
  let test: TestDatabase
  let places: Awaited<ReturnType<typeof storePlaces>>
  let now = START
  beforeAll(async () => {
    test = await createTestDatabase()
    places = await storePlaces(test.database)
    root = await mkdtemp(join(tmpdir(), 'tradewright-store-history-'))
    duck = await Duck.open({ memoryLimitMb: 256, threads: 2, spillFolder: join(root, 'spill') })
  })
  afterAll(async () => {
    duck.close()
    await test.close()
    await rm(root, { recursive: true, force: true })
  })

  const openStore = async (more: Partial<LocalStoreParts> = {}, folder?: ContainedFolder): Promise<SeriesStore> => {
    const place = more.place ?? (await places.next())
    return localSeriesStore(folder ?? new ContainedFolder(await mkdtemp(join(root, 'store-'))), {
      name: 'Mine',
      duck,
      lock: processLock(),
      clock: { now: () => new Date(now) },
      database: test.database,
      place,
      settings: { partitionStrategy: 'none', compression: 'snappy' },
      historyMs: NEVER,
      ...more,
    })
  }

  it('answers as of every moment as a plain store answered then', { timeout: 300_000 }, async () => {
    const steps = fc.array(
      fc.oneof<fc.Arbitrary<HistoryStep>[]>(
        { weight: 8, arbitrary: step as fc.Arbitrary<HistoryStep> } as never,
        { weight: 1, arbitrary: fc.constant<HistoryStep>({ kind: 'purge' }) } as never,
      ),
      { minLength: 2, maxLength: 9 },
    )
    const queries = fc.array(browseQuery, { minLength: 1, maxLength: 1 })
    const strategies = fc.constantFrom('none', 'date_ticker' as const)
    await fc.assert(
      fc.asyncProperty(steps, queries, strategies, fc.boolean(), async (taken, asked, partitionStrategy, isPurged) => {
        now = START
        const historyMs = isPurged ? RETENTION_MS : NEVER
        const settings = { partitionStrategy, compression: 'snappy' } as const
        const store = await openStore({ settings, historyMs, maxPackedRows: 3, packedTogether: 2 })
        const moments: { at: number; steps: number }[] = [{ at: now - 1, steps: 0 }]
        for (const [index, one] of taken.entries()) {
          now += MINUTE
          await (one.kind === 'purge' ? store.purgeHistory!() : take(store, one))
          moments.push({ at: now, steps: index + 1 }, { at: now + MINUTE / 2, steps: index + 1 })
        }
        for (const { at, steps: count } of moments) {
          const model = memorySeriesStore()
          for (const one of taken.slice(0, count)) if (one.kind !== 'purge') await take(model, one)
          // A store purges itself now and then when it is written to.
          const isKept = !isPurged || at >= now - RETENTION_MS
          if (!isKept) {
            await expect(eitherKnown(store, model, at)).resolves.toBe(true)
            continue
          }
          await expectSame(store, model, at)
          for (const query of asked) {
            expect(await store.browse({ ...query, asOf: at })).toEqual(await model.browse(query))
            expect(bySeries(await store.summaries({ ...query, asOf: at }))).toEqual(
              bySeries(await model.summaries(query)),
            )
          }
        }
      }),
      { numRuns: HISTORIES, endOnFailure: true },
    )
  })

  const expectSame = async (store: SeriesStore, model: SeriesStore, at: number) => {
    for (const layer of layers) expect(await readAll(store, layer, at)).toEqual(await readAll(model, layer))
  }

  /** A moment before the kept history is refused, or, where nothing was removed since, answered rightly. */
  const eitherKnown = (store: SeriesStore, model: SeriesStore, at: number): Promise<boolean> =>
    expectSame(store, model, at).then(
      () => true,
      (error: unknown) => (error as { code?: string }).code === 'store.history',
    )

  const closes = async (store: SeriesStore, asOf?: number) => {
    const range = { from: 0, to: Date.UTC(2100, 0, 1) }
    const [table] = await store.read({ layer: 'gold', tickers: ['A'], granularity: '1d', range, categories: [], asOf })
    return table && [...table.columns['close']!]
  }

  it('outlives a restart, a merge of files and a clock that was set back', async () => {
    now = START
    const place = await places.next()
    const folder = new ContainedFolder(await mkdtemp(join(root, 'store-')))
    const store = await openStore({ place }, folder)
    await store.write('gold', [dailyBlock('A', [1, 2, 3])])
    const before = now
    now += MINUTE
    await store.write('gold', [dailyBlock('A', [1, 5, 3])])
    now -= 10 * MINUTE
    await store.write('gold', [dailyBlock('A', [1, 6, 3])])
    for (let day = 0; day < 6; day++) await store.write('gold', [dailyBlock(`B${day}`, [day + 1])])
    expect(await closes(store, before)).toEqual([1, 2, 3])
    expect(await closes(await openStore({ place }, folder), before)).toEqual([1, 2, 3])
    expect(await closes(store, before + MINUTE)).toEqual([1, 6, 3])
    expect(await closes(store)).toEqual([1, 6, 3])
  })

  it('knows every value of a record that was corrected many times, packed with other changes or not', async () => {
    now = START
    const store = await openStore({ packedTogether: 4, maxPackedRows: 100 })
    const corrections = 41
    for (let value = 1; value <= corrections; value++) {
      now += 11 * MINUTE
      await store.write('gold', [dailyBlock('A', [7, value, 9 / value])])
    }
    for (let value = 1; value <= corrections; value++) {
      expect(await closes(store, START + value * 11 * MINUTE)).toEqual([7, value, 9 / value])
    }
    const { rows } = await test.pool.query<{ count: string }>('SELECT count(*) FROM store_removed_rows')
    expect(Number(rows[0]!.count)).toBeLessThan(corrections)
  })

  it('says since when it is known what a store held', async () => {
    now = START
    const store = await openStore({ historyMs: MINUTE })
    await store.write('gold', [dailyBlock('A', [1])])
    now += 5 * MINUTE
    await store.write('gold', [dailyBlock('A', [2])])
    now += 5 * MINUTE
    await store.purgeHistory!()
    await expect(closes(store, START)).rejects.toThrow(
      'The data store "Mine" keeps its history since 2025-01-01 00:05 UTC: what it held on 2025-01-01 00:00 UTC is not known.',
    )
    expect(await closes(store, START + 5 * MINUTE)).toEqual([2])
  })

  it('keeps none where the operator wants none, and refuses instead of answering with today', async () => {
    now = START
    const store = await openStore({ historyMs: 0 })
    await store.write('gold', [dailyBlock('A', [1])])
    now += MINUTE
    await store.write('gold', [dailyBlock('A', [2])])
    await expect(closes(store, START)).rejects.toMatchObject({ code: 'store.history' })
    expect(await closes(store, now)).toEqual([2])
  })

  it('gives up its oldest part where it takes more room than its owner may use', async () => {
    now = START
    let excess = 0
    const allowance = {
      assertRoomFor: async () => {},
      isCrowded: async () => false,
      historyExcess: async () => excess,
    }
    const store = await openStore({ allowance })
    for (const value of [1, 2, 3, 4]) {
      now += MINUTE
      await store.write('gold', [dailyBlock('A', [value])])
    }
    excess = 1
    await store.purgeHistory!()
    await expect(closes(store, START + MINUTE)).rejects.toMatchObject({ code: 'store.history' })
    expect(await closes(store, START + 2 * MINUTE)).toEqual([2])
    expect(await closes(store)).toEqual([4])
  })
})
