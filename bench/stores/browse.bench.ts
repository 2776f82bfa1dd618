import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Bench, benchRow, type Measurement } from '../bench.ts'
import { openLocal, startStoreSite, type StoreSite } from './local.ts'
import { dailyBars } from './market-data.ts'

const TICKERS = 400
const DAYS = 5_000
const BATCH = 50

/** Browse and read over ten million records, in a process of its own so that its memory can be told. */
const storesBrowse: Bench = {
  name: 'stores-browse',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'tradewright-bench-'))
    const site = await startStoreSite(folder)
    try {
      await fill(site)
      const script = join(import.meta.dirname, 'browse-process.ts')
      const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(site)])
      for (const measurement of JSON.parse(stdout) as Measurement[]) report(benchRow(measurement))
    } finally {
      await site.stop()
      await rm(folder, { recursive: true })
    }
  },
}
export default storesBrowse

async function fill(site: StoreSite): Promise<void> {
  const { store, close } = await openLocal(site, 'none')
  for (let from = 0; from < TICKERS; from += BATCH) {
    const blocks = Array.from({ length: BATCH }, (_, i) => dailyBars(from + i, DAYS))
    await store.write('gold', blocks)
  }
  await close()
}
