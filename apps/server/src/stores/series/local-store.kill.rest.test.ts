import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import type { Problem } from '@tradewright/core/problem'
import { describe, expect, it } from 'vitest'
import { killWriter, withGenerationStore } from '../../../test-support/generation-store.ts'
import { GENERATION_TICKERS, generationBlocks } from '../../../test-support/store-writer-process.ts'

/** `npm run campaign` kills twenty times. */
const KILLS = Number(process.env['KILLS'] ?? 5)
/** About as long as a write takes. */
const WRITE_MS = 80

const mine = withGenerationStore()

describe('a local store whose writer is killed', () => {
  it('shows the old state or the new one after kill -9 at any moment of a write', { timeout: 300_000 }, async () => {
    let generation = 1
    await (await mine.open()).write('gold', generationBlocks(generation))
    for (let kill = 0; kill < KILLS; kill++) {
      const last = await killedWriter(generation + 1, (WRITE_MS * kill) / KILLS)
      const found = await mine.generationIn(await mine.open())
      expect(found).toBeGreaterThanOrEqual(Math.max(generation, last.wrote))
      expect(found).toBeLessThanOrEqual(last.writing)
      generation = found
    }
    // The next writer cleans up what the killed ones left.
    const store = await mine.open()
    await store.write('gold', generationBlocks(generation + 1))
    await store.write('gold', generationBlocks(generation + 2))
    await store.write('gold', generationBlocks(generation + 3))
    const files = globSync(join(mine.folder, '**', '*.parquet'))
    const [live, retired] = [2 * GENERATION_TICKERS.length, 2 * GENERATION_TICKERS.length]
    expect(files.length).toBeLessThanOrEqual(live + retired)
    expect(globSync(join(mine.folder, '.scratch', '*'))).toEqual([])
  })

  it(
    'loses nothing current, and never a part of its history, after kill -9 at any moment of a purge',
    { timeout: 300_000 },
    async () => {
      const history = { historyMs: 1 }
      let generation = 1
      await (await mine.open(0, mine.folder, history)).write('gold', generationBlocks(generation))
      for (let kill = 0; kill < KILLS; kill++) {
        const delayMs = (2 * WRITE_MS * kill) / KILLS
        const last = await killedWriter(generation + 1, delayMs, history.historyMs)
        const store = await mine.open(0, mine.folder, history)
        const found = await mine.generationIn(store)
        expect(found).toBeGreaterThanOrEqual(Math.max(generation, last.wrote))
        // The state before the last change is whole, or refused: never a part of it.
        const { rows } = await mine.test.pool.query<{ changed_at: Date }>(
          `SELECT changed_at FROM store_changes JOIN store_catalogues ON id = catalogue_id
           WHERE store_id = $1 ORDER BY store_changes.version`,
          [mine.storeId],
        )
        for (const { changed_at } of rows) {
          const values = await mine.goldValues(store, changed_at.getTime()).catch((error: Problem) => error.code)
          if (values !== 'store.history') expect((values as Set<number>).size).toBe(1)
        }
        generation = found
      }
      const store = await mine.open(0, mine.folder, history)
      await store.write('gold', generationBlocks(generation + 1))
      await new Promise((resolve) => setTimeout(resolve, 5))
      await store.purgeHistory!()
      await store.write('gold', generationBlocks(generation + 2))
      expect(await mine.generationIn(store)).toBe(generation + 2)
      const named = await mine.test.pool.query<{ path: string }>(
        'SELECT path FROM store_files JOIN store_catalogues ON id = catalogue_id WHERE store_id = $1',
        [mine.storeId],
      )
      const files = globSync(join(mine.folder, '**', '*.parquet')).map((path) => relative(mine.folder, path))
      expect(files.toSorted()).toEqual(named.rows.map(({ path }) => path).toSorted())
    },
  )
})

/** Kills a writer so long after its second write began, and tells what it had said by then. */
async function killedWriter(
  first: number,
  delayMs: number,
  historyMs = 0,
): Promise<{ writing: number; wrote: number }> {
  const writer = mine.startWriter(first, historyMs)
  const told = { writing: 0, wrote: 0 }
  const lines = createInterface({ input: writer.stdout! })
  await new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      const [word, generation] = line.split(' ') as ['writing' | 'wrote', string]
      told[word] = Number(generation)
      // The moment is the point of this test; nothing waits for it.
      if (told.writing === first + 1) setTimeout(resolve, delayMs)
    })
    writer.once('close', () => resolve())
  })
  await killWriter(writer)
  return told
}
