import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allocationForm } from '../../apps/server/test-support/backtest-form.ts'
import { startProgram } from '../../apps/server/test-support/program.ts'
import { startYahooStandIn } from '../../apps/server/test-support/stand-ins/yahoo.ts'
import { type Bench, benchRow, median } from '../bench.ts'
import { type SignedUp, signedUp } from '../load/signed-up.ts'

const TICKERS = Array.from({ length: 500 }, (_, index) => `OWN${index}`)
const [FIRST_DAY, LAST_DAY] = ['2000-01-03', '2024-12-31']
const RUNS = 3
const DAY = 86_400_000

/** An allocation over 500 series of 25 years of days that the store has, and over 500 tickers that no provider knows. */
const bench: Bench = {
  name: 'backtest/many-tickers',
  async run(report) {
    const dataDir = mkdtempSync(join(tmpdir(), 'tradewright-bench-'))
    const yahoo = await startYahooStandIn(Date.now)
    const program = await startProgram({ DATA_DIR: dataDir, YAHOO_URL: yahoo.url })
    try {
      const user = await signedUp(program.url, 'many')
      for (const [index, ticker] of TICKERS.entries()) await importSeries(user, ticker, index)
      report(
        benchRow({
          bench: 'backtest/many-tickers/500 stored series of 25 years',
          ours: median(await timesOf(RUNS, () => run(user, TICKERS, true))),
          unit: 's',
          goal: { on: 'ours', under: 30 },
        }),
      )
      const unknown = TICKERS.map((ticker) => `NO${ticker}`)
      report(
        benchRow({
          bench: 'backtest/many-tickers/500 unknown tickers refused',
          ours: median(await timesOf(1, () => run(user, unknown, false))),
          unit: 's',
          goal: { on: 'ours', under: 5 },
        }),
      )
    } finally {
      await program.stop()
      await yahoo.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
export default bench

async function importSeries(user: SignedUp, ticker: string, index: number): Promise<void> {
  const rows: string[] = []
  let price = 50 + (index % 100)
  for (let day = Date.parse(FIRST_DAY); day <= Date.parse(LAST_DAY); day += DAY) {
    const date = new Date(day)
    if (date.getUTCDay() % 6 === 0) continue
    price *= 1 + 0.012 * Math.sin(day / DAY + index) + 0.0002
    rows.push(`${date.toISOString().slice(0, 10)},${price.toFixed(4)}`)
  }
  const form = new FormData()
  form.set('ticker', ticker)
  form.set('granularity', '1d')
  form.set('columns', '')
  form.set('store', '')
  form.set('file', new Blob([`date,close\n${rows.join('\n')}\n`], { type: 'text/csv' }), `${ticker}.csv`)
  if (!(await user.sends('/api/data-collector/import', form))) throw new Error(`${ticker} could not be imported`)
}

async function run(user: SignedUp, tickers: readonly string[], isKnown: boolean): Promise<void> {
  const form = new FormData()
  const fields = { ...allocationForm, startDate: FIRST_DAY, endDate: LAST_DAY, dataProvider: 'auto' }
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value)
  }
  for (const ticker of tickers) {
    form.append('ticker[]', ticker)
    form.append('allocation[]', String(100 / tickers.length))
  }
  if ((await user.sends('/api/backtest', form)) !== isKnown)
    throw new Error('the backtest ended otherwise than expected')
}

async function timesOf(times: number, work: () => Promise<void>): Promise<number[]> {
  const seconds: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await work()
    seconds.push((performance.now() - start) / 1000)
  }
  return seconds
}
