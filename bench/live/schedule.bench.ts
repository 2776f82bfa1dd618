import { setTimeout as wait } from 'node:timers/promises'
import { type Bench, benchRow } from '../bench.ts'
import { pacedLoad } from '../http/load.ts'
import { type LiveProgram, newTrader, startLiveProgram, type Trader } from './live-program.ts'

const TRADERS = 10
const EACH = 20
const AHEAD_SECONDS = 15
const LOAD_SECONDS = 30
const REQUESTS_PER_SECOND = 50

/** Coins trade around the clock, so that the benchmark runs on any day. Each user has different percentages. */
const configOf = (place: number) => ({
  allocations: [
    { ticker: 'BTC-USD', allocation: 60 - place },
    { ticker: 'ETH-USD', allocation: 40 + place },
  ],
  startDate: '2024-01-02',
  endDate: '2025-12-31',
  dataProvider: 'sample',
  dataGranularity: 'hourly',
})
const form = {
  capital_policy_value: 1_000,
  check_frequency_minutes: 240,
  trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  bypass_market_hours: true,
  auto_start: true,
}

/** 200 deployments in one process that are all due at the same instant, while another user works in the app. */
const schedule: Bench = {
  name: 'live-schedule',
  async run(report) {
    const program = await startLiveProgram()
    try {
      const traders: Trader[] = []
      const ids: number[] = []
      for (let i = 0; i < TRADERS; i++) {
        const trader = await newTrader(program.url, `trader-${i}@example.com`)
        traders.push(trader)
        for (let j = 0; j < EACH; j++)
          ids.push(await trader.deploy(`Coins ${j}`, { type: 'Asset Allocation', config: configOf(j) }, form))
      }
      // Bought, and everything that is slow the first time is over.
      await runAt(program, ids, 5)
      await settled(program, ids)
      const due = await runAt(program, ids, AHEAD_SECONDS)
      const asked = pacedLoad(
        { url: `${program.url}/api/deployment/list`, cookie: traders[0]!.cookie },
        LOAD_SECONDS,
        REQUESTS_PER_SECOND,
      )
      const { p99Ms, p50Ms } = await asked
      await settled(program, ids)
      const lags = (await decidedAfter(program, due)).sort((a, b) => a - b)
      if (lags.length !== ids.length) throw new Error(`${lags.length} of ${ids.length} deployments decided`)
      const within = { on: 'ours', under: 2_000 } as const
      report(benchRow({ bench: 'live-schedule/last of 200 looked at', ours: lags.at(-1)!, unit: 'ms', goal: within }))
      report(benchRow({ bench: 'live-schedule/median', ours: lags[lags.length / 2]!, unit: 'ms', goal: within }))
      report(benchRow({ bench: 'live-schedule/http p50', ours: p50Ms, unit: 'ms' }))
      report(benchRow({ bench: 'live-schedule/http p99', ours: p99Ms, unit: 'ms', goal: { on: 'ours', under: 100 } }))
    } finally {
      await program.stop()
    }
  },
}
export default schedule

/** All of them are due at one instant. */
async function runAt({ foundation: { pool } }: LiveProgram, ids: readonly number[], seconds: number): Promise<Date> {
  const due = new Date(Date.now() + seconds * 1_000)
  await pool.query('UPDATE deployments SET next_run_at = $1 WHERE id = ANY($2)', [due, ids])
  return due
}

async function settled({ foundation: { pool } }: LiveProgram, ids: readonly number[]): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ busy: number }>(
      `SELECT ((SELECT count(*) FROM deployments WHERE id = ANY($1) AND next_run_at < now() + interval '20 seconds')
            + (SELECT count(*) FROM deployment_decisions WHERE outcome IN ('selling', 'buying')))::int AS busy`,
      [ids],
    )
    if (rows[0]!.busy === 0) return
    await wait(500)
  }
}

/** How long after the instant each signal was known, by the lines of the log. */
async function decidedAfter({ foundation: { pool } }: LiveProgram, due: Date): Promise<number[]> {
  const { rows } = await pool.query<{ deployment_id: number; line: string }>(
    `SELECT DISTINCT ON (deployment_id) deployment_id, line FROM deployment_log
     WHERE line LIKE '%Generating Signal%' ORDER BY deployment_id, id DESC`,
  )
  const lags = rows.map(
    ({ line }) => Date.parse(`${line.slice(0, 23).replace(' ', 'T').replace(',', '.')}Z`) - due.getTime(),
  )
  return lags.filter((lag) => lag >= 0)
}
