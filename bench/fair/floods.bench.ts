import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { allocationForm, formData } from '../../apps/server/test-support/backtest-form.ts'
import { type Bench, benchRow, median } from '../bench.ts'
import { newTrader, startLiveProgram, type Trader } from '../live/live-program.ts'
import { type FloodOrder, floods } from './floods.ts'

const SECONDS_EACH = 8
const CRASHED_FROM = 500
const REFUSED_FROM = 400
/** Between two rounds of calls, so that whoever waits stays within the calls of one account. */
const PAUSE_MS = 200
const FROM = { 'x-forwarded-for': '198.51.100.7' }

const shortBacktest = { ...allocationForm, startDate: '2021-01-04', endDate: '2022-12-30' }

/** What another user waits for, in milliseconds, and the answers that say that the server failed. */
interface Waits {
  readonly lists: number[]
  readonly backtests: number[]
  readonly stops: number[]
  failures: number
}

/**
 * One account, or a visitor, keeps 32 calls of a kind going, while another user lists, runs backtests, trades on paper and presses
 * the emergency stop of a second deployment.
 */
const fairFloods: Bench = {
  name: 'fair-floods',
  async run(report) {
    // As an operator runs it where other machines reach it: visits from this one count as well.
    const program = await startLiveProgram({
      TRUSTED_PROXIES: '127.0.0.1',
      MAX_CALLS_PER_MINUTE: '1200',
      MAX_THREAD_PCT_PER_USER: '40',
    })
    const { pool } = program.foundation
    try {
      const other = await newTrader(program.url, 'other@example.com')
      const greedy = await newTrader(program.url, 'greedy@example.com')
      const strategy = {
        type: 'Asset Allocation',
        config: {
          startDate: '2016-01-04',
          endDate: '2025-12-31',
          dataProvider: 'sample',
          allocations: [{ ticker: 'BTC-USD', allocation: 100 }],
        },
      } as const
      const form = {
        capital_policy_value: 1_000,
        check_frequency_minutes: 15,
        trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
        bypass_market_hours: true,
        auto_start: true,
      }
      const trading = await other.deploy('Coins', strategy, form)
      const { strategies } = await other.get<{ strategies: { id: number }[] }>('/api/deployment/strategies')
      const stopped = { ...form, strategy_id: strategies[0]!.id, alpaca_account_id: other.accountId }
      const again = await other.post<{ deployment: { id: number } }>('/api/deployment/create', {
        ...stopped,
        deployment_name: 'To stop',
      })
      for (let i = 0; i < 50; i++) {
        await greedy.post('/api/strategies', {
          name: `Strategy ${i}`,
          strategy_type: strategy.type,
          config: strategy.config,
        })
      }
      const stateOf = async () =>
        (
          await pool.query<{ state: string }>(
            `SELECT status || ' ' || coalesce(health_code, 'well') AS state FROM deployments WHERE id = $1`,
            [trading],
          )
        ).rows[0]!.state
      const measure = (seconds: number) => waitsOf(program.url, other, again.deployment.id, seconds)
      await measure(2)
      const before = await stateOf()
      const idle = await measure(SECONDS_EACH)
      // BENCH_FLOODS=lists,event streams: only those.
      const chosen = process.env['BENCH_FLOODS']?.split(',') ?? Object.keys(floods)
      for (const name of chosen) {
        const { cookie, accountId } = greedy
        const order: FloodOrder = { name, url: program.url, cookie, accountId }
        const flooding = new Worker(new URL('floods.ts', import.meta.url), { workerData: order })
        const ended = once(flooding, 'message') as Promise<[number[]]>
        await wait(1_000)
        const busy = await measure(SECONDS_EACH)
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        flooding.postMessage('stop')
        const [answers] = await ended
        await flooding.terminate()
        for (const kind of ['lists', 'backtests'] as const) {
          const [ours, peer] = [p95(busy[kind]), p95(idle[kind])]
          const goal = ours < 500 ? ({ on: 'ours', under: 500 } as const) : ({ on: 'ratio', under: 5 } as const)
          report(
            benchRow({
              bench: `fair-floods/${name}: ${kind}, p95`,
              ours,
              unit: 'ms',
              peer: { name: 'idle, p95', value: peer },
              goal,
            }),
          )
        }
        const bench = (what: string) => `fair-floods/${name}: ${what}`
        const stop = Math.max(...busy.stops)
        report(
          benchRow({
            bench: bench('emergency stop, worst'),
            ours: stop,
            unit: 'ms',
            peer: { name: 'idle, median', value: median(idle.stops) },
            goal: { on: 'ours', under: 1_000 },
          }),
        )
        report(
          benchRow({
            bench: bench('failures for others'),
            ours: busy.failures,
            unit: 'answers',
            goal: { on: 'ours', under: 1 },
          }),
        )
        const crashes = answers.filter((status) => status >= CRASHED_FROM).length
        report(
          benchRow({ bench: bench(`failures among ${answers.length} of its own`), ours: crashes, unit: 'answers' }),
        )
        const changed = (await stateOf()) === before ? 0 : 1
        report(
          benchRow({
            bench: bench('deployments whose state changed'),
            ours: changed,
            unit: 'deployments',
            goal: { on: 'ours', under: 1 },
          }),
        )
        // What one flood used up of its account's share comes back before the next.
        await wait(2_000)
      }
    } finally {
      await program.stop()
    }
  },
}
export default fairFloods

async function waitsOf(url: string, { cookie }: Trader, toStop: number, seconds: number): Promise<Waits> {
  const waits: Waits = { lists: [], backtests: [], stops: [], failures: 0 }
  const until = performance.now() + seconds * 1_000
  const timed = async (times: number[], call: () => Promise<Response>): Promise<void> => {
    const began = performance.now()
    const answer = await call()
    const text = await answer.text()
    times.push(performance.now() - began)
    if (answer.status < REFUSED_FROM) return
    waits.failures += 1
    console.error(`${new URL(answer.url).pathname}: ${answer.status} ${text.slice(0, 300)}`)
  }
  const post = (path: string, body: FormData | object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...FROM, cookie, ...(!(body instanceof FormData) && { 'content-type': 'application/json' }) },
      body: body instanceof FormData ? body : JSON.stringify(body),
    })
  while (performance.now() < until) {
    await timed(waits.lists, () => fetch(`${url}/api/strategies`, { headers: { ...FROM, cookie } }))
    await timed(waits.lists, () => fetch(`${url}/api/deployment/list`, { headers: { ...FROM, cookie } }))
    await timed(waits.backtests, () => post('/api/backtest', formData(shortBacktest)))
    await timed(waits.stops, () => post(`/api/deployment/${toStop}/emergency-stop`, {}))
    await post(`/api/deployment/${toStop}/control`, { action: 'start' }).then((answer) => answer.arrayBuffer())
    await wait(PAUSE_MS)
  }
  return waits
}

const p95 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!
