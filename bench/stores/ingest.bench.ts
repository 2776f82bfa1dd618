import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noActions } from '@tradewright/engine/market/corporate-actions'
import { type Delivery, ingest } from '@tradewright/engine/market/layers/ingest'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { type Bench, benchRow } from '../bench.ts'
import { openLocal, startStoreSite } from './local.ts'
import { dailyBars } from './market-data.ts'

const TICKERS = 200
const DAYS = 5_000
const BATCH = 50

const delivery = (block: SeriesBlock): Delivery => ({
  outcome: 'delivered',
  ticker: block.ticker,
  bronze: block,
  silver: block,
  actions: noActions,
  refused: [],
})

/** Deliveries of fifty tickers, twenty years each, through bronze, silver and gold of an empty local store. */
const storesIngest: Bench = {
  name: 'stores-ingest',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'tradewright-bench-'))
    const site = await startStoreSite(folder)
    const { store, close } = await openLocal(site, 'none')
    try {
      const deliveries = Array.from({ length: TICKERS }, (_, index) => delivery(dailyBars(index, DAYS)))
      const rates = { new: await rate(deliveries), again: await rate(deliveries) }
      const goal = { on: 'ours', atLeast: 150_000 } as const
      report(benchRow({ bench: 'stores-ingest/new', ours: rates.new, unit: 'records/s', goal }))
      report(benchRow({ bench: 'stores-ingest/unchanged', ours: rates.again, unit: 'records/s', goal }))
    } finally {
      await close()
      await site.stop()
      await rm(folder, { recursive: true })
    }

    async function rate(deliveries: readonly Delivery[]): Promise<number> {
      const start = performance.now()
      for (let from = 0; from < deliveries.length; from += BATCH) {
        await ingest(store, deliveries.slice(from, from + BATCH), { isSynthetic: () => false })
      }
      return (TICKERS * DAYS * 5) / ((performance.now() - start) / 1000)
    }
  },
}
export default storesIngest
