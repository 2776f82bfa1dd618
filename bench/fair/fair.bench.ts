import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { allocationForm, formData, mlForm } from '../../apps/server/test-support/backtest-form.ts'
import { type Bench, benchRow, type Goal, median } from '../bench.ts'
import { ProbeFile } from '../load/probe-file.ts'
import { type LiveProgram, newTrader, startLiveProgram, type Trader } from '../live/live-program.ts'

const HOGS = 5
const RUNS_EACH = 30
const REPEATS = 20

/** The largest that the form takes for a single asset: hours of work each. */
const largeRun = {
  target_asset: 'SPY',
  related_assets: ['QQQ', 'TLT', 'GLD'],
  feature_types: [1, 7, 8, 11, 13],
  target_id: 1,
  start_date: '2001-01-02',
  end_date: '2024-12-31',
  data_granularity: 'daily',
  population_size: 50,
  generations: 200,
  mutation_rate: 0.1,
  max_features: 10,
  evaluation_metric: 'accuracy',
  ml_model: 'Random Forest',
  n_estimators: 500,
  min_samples_leaf: 1,
  min_samples_split: 2,
  max_features_rf: 'sqrt',
  train_size: 70,
  test_size: 30,
  signal1_allocations: [{ ticker: 'SPY', allocation: 100 }],
  signal0_allocations: [{ ticker: 'CASHX', allocation: 100 }],
  early_stopping: false,
  seed_features: [],
  walk_forward_enabled: true,
  wf_step_size_pct: 10,
  window_sizes: [5, 10, 14, 20, 30],
  data_provider: 'sample',
  wait: false,
}

/** Coins trade around the clock, so that the benchmark runs on any day. */
const mlStrategy = {
  type: 'ML',
  config: {
    startDate: '2016-01-04',
    endDate: '2025-12-31',
    dataProvider: 'sample',
    dataGranularity: 'daily',
    mlModelType: 'Random Forest',
    n_estimators: 500,
    features: [
      { id: 7, params: { ticker: 'BTC-USD', window: 14 } },
      { id: 1, params: { ticker: 'ETH-USD', window: 5 } },
    ],
    target: { id: 1, params: { ticker: 'BTC-USD' } },
    signal1Allocations: [{ ticker: 'BTC-USD', allocation: 100 }],
    signal0Allocations: [{ ticker: 'ETH-USD', allocation: 100 }],
  },
} as const

const deploymentForm = {
  capital_policy_value: 1_000,
  check_frequency_minutes: 240,
  trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  bypass_market_hours: true,
  auto_start: true,
}

/** The sample market needs no network. */
const shortBacktest = { ...allocationForm, startDate: '2021-01-04', endDate: '2022-12-30' }
/** Some 0.4 s of one thread. */
const mlBacktest = { ...mlForm, startDate: '2008-01-02', n_estimators: '100' }

/** Waits of one user beside 150 large optimizer runs of other users, compared with the same on the idle program. */
const fair: Bench = {
  name: 'fair',
  async run(report) {
    const folder = mkdtempSync(join(tmpdir(), 'tradewright-bench-'))
    const probe = new ProbeFile(folder)
    const program = await startLiveProgram({ MAX_RUNS_PER_USER: '200', ...probe.environment })
    try {
      const trader = await newTrader(program.url, 'trader@example.com')
      const deployment = await trader.deploy('Forest', mlStrategy, deploymentForm)
      await settled(program, deployment)
      const measure = async () => ({
        backtests: await repeat(() => backtest(program.url, trader, mlBacktest)),
        shortBacktests: await repeat(() => backtest(program.url, trader, shortBacktest)),
        decisions: await repeat(() => decision(program, deployment)),
      })
      for (const form of [mlBacktest, shortBacktest]) await backtest(program.url, trader, form)
      const idle = await measure()
      const started = await queueRuns(program)
      probe.reset(program.process)
      const busy = await measure()
      const row = (name: string, kind: keyof typeof busy, ours: number, goal?: Goal) =>
        report(
          benchRow({
            bench: `fair/${name}`,
            ours,
            unit: 'ms',
            peer: { name: 'idle, median', value: median(idle[kind]) },
            ...(goal && { goal }),
          }),
        )
      const threeTimes = { on: 'ratio', under: 3 } as const
      const twoSeconds = { on: 'ours', under: 2_000 } as const
      row(`ML backtest beside ${started} runs, median`, 'backtests', median(busy.backtests), threeTimes)
      row(`ML backtest beside ${started} runs, worst`, 'backtests', Math.max(...busy.backtests), threeTimes)
      row(`short backtest beside ${started} runs, median`, 'shortBacktests', median(busy.shortBacktests), threeTimes)
      row(`short backtest beside ${started} runs, worst`, 'shortBacktests', Math.max(...busy.shortBacktests))
      row(`due decision beside ${started} runs, median`, 'decisions', median(busy.decisions), twoSeconds)
      row(`due decision beside ${started} runs, worst`, 'decisions', Math.max(...busy.decisions), twoSeconds)
      const atWork = await runsAtWork(program)
      report(benchRow({ bench: 'fair/users whose runs are at work', ours: atWork.users, unit: 'users' }))
      report(benchRow({ bench: 'fair/runs at work', ours: atWork.runs, unit: 'runs' }))
      const { ownWorkP99Ms, ownWorkMaxMs } = await probe.read()
      report(benchRow({ bench: 'fair/event loop held up by its own work, p99', ours: ownWorkP99Ms, unit: 'ms' }))
      report(benchRow({ bench: 'fair/event loop held up by its own work, longest', ours: ownWorkMaxMs, unit: 'ms' }))
    } finally {
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
export default fair

async function repeat(once: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < REPEATS; i++) times.push(await once())
  return times
}

async function backtest(url: string, { cookie }: Trader, form: Parameters<typeof formData>[0]): Promise<number> {
  const began = performance.now()
  const body = formData(form)
  const answer = await fetch(`${url}/api/backtest`, { method: 'POST', headers: { cookie }, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the backtest answered ${answer.status}: ${text.slice(0, 300)}`)
  return performance.now() - began
}

/** Until all threads are at the evaluations of several users. */
async function queueRuns(program: LiveProgram): Promise<number> {
  const before = performance.now()
  for (let i = 0; i < HOGS; i++) {
    const hog = await newTrader(program.url, `hog-${i}@example.com`)
    for (let run = 0; run < RUNS_EACH; run++) await hog.post('/api/feature-optimization', largeRun)
  }
  for (;;) {
    const { rows } = await program.foundation.pool.query<{ users: number }>(
      `SELECT count(DISTINCT user_id)::int AS users FROM jobs
       WHERE kind = 'optimizer-chunk' AND state = 'running'`,
    )
    if (rows[0]!.users >= 2) return HOGS * RUNS_EACH
    if (performance.now() - before > 600_000) throw new Error('the runs of several users have not begun in ten minutes')
    await wait(500)
  }
}

/** From the instant at which the deployment is due to the line of its log that names the signal. */
async function decision(program: LiveProgram, id: number): Promise<number> {
  const { pool } = program.foundation
  const due = new Date(Date.now() + 1_000)
  await pool.query('UPDATE deployments SET next_run_at = $1 WHERE id = $2', [due, id])
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    const { rows } = await pool.query<{ line: string }>(
      `SELECT line FROM deployment_log WHERE deployment_id = $1 AND line LIKE '%Generating Signal%'
       ORDER BY id DESC LIMIT 1`,
      [id],
    )
    const at = rows[0] && Date.parse(`${rows[0].line.slice(0, 23).replace(' ', 'T').replace(',', '.')}Z`)
    if (at !== undefined && at >= due.getTime()) {
      await settled(program, id)
      return at - due.getTime()
    }
    await wait(20)
  }
  throw new Error('the deployment did not decide in two minutes')
}

async function settled({ foundation: { pool } }: LiveProgram, id: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ busy: number }>(
      `SELECT ((SELECT count(*) FROM deployments WHERE id = $1 AND next_run_at < now() + interval '20 seconds')
            + (SELECT count(*) FROM deployment_decisions WHERE outcome IN ('selling', 'buying')))::int AS busy`,
      [id],
    )
    if (rows[0]!.busy === 0) return
    await wait(100)
  }
}

async function runsAtWork({ foundation: { pool } }: LiveProgram): Promise<{ users: number; runs: number }> {
  const { rows } = await pool.query<{ users: number; runs: number }>(
    `SELECT count(DISTINCT user_id)::int AS users, count(*)::int AS runs FROM jobs
     WHERE kind = 'optimizer' AND state = 'running'`,
  )
  return rows[0]!
}
