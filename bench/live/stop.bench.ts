import { MINUTE } from '@tradewright/core/time'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type AlpacaStandIn,
  STAND_IN_KEYS,
  startAlpacaStandIn,
} from '../../apps/server/test-support/stand-ins/alpaca/alpaca.ts'
import { startCoinbaseStandIn } from '../../apps/server/test-support/stand-ins/coinbase.ts'
import { type Bench, type BenchRow, benchRow } from '../bench.ts'
import { newTrader, startLiveProgram, type Trader } from './live-program.ts'

const CALLS_PER_MINUTE = 200
const OPEN_ORDERS = 20
/**
 * Two windows of the broker: deploying uses up the reads of the first one, so that polls wait for its end, and the minute
 * that is counted is one at the rate at which the account stays.
 */
const WAIT_SECONDS = 130
const WITHIN_A_SECOND = { on: 'ours', under: 1_000 } as const

/** Coins trade around the clock, so that the benchmark runs on any day; each deployment buys two. */
const strategy = {
  type: 'Asset Allocation' as const,
  config: {
    allocations: [
      { ticker: 'BTC-USD', allocation: 60 },
      { ticker: 'ETH-USD', allocation: 40 },
    ],
    startDate: '2025-01-02',
    endDate: '2025-12-31',
    dataProvider: 'coinbase',
    dataGranularity: 'daily',
  },
}
const form = {
  capital_policy_value: 1_000,
  frequency_type: 'continuous',
  check_frequency_minutes: 240,
  trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  bypass_market_hours: true,
  auto_start: true,
}

/**
 * How long after a press the cancellations reach the broker: the real program, 20 open orders in one account, and a broker
 * that refuses the 201st call of a minute.
 */
const stop: Bench = {
  name: 'live-stop',
  async run(report) {
    const alpaca = await startAlpacaStandIn(() => Date.now(), { callsPerMinute: CALLS_PER_MINUTE })
    const coinbase = await startCoinbaseStandIn(() => Date.now())
    const log = recordCalls(alpaca)
    const program = await startLiveProgram({
      ALPACA_PAPER_URL: alpaca.url,
      ALPACA_DATA_URL: alpaca.url,
      COINBASE_URL: coinbase.url,
    })
    try {
      const trader = await newTrader(program.url, 'stop@example.com')
      const ids = await deployAll(trader)
      await program.foundation.pool.query('UPDATE deployments SET next_run_at = now() WHERE id = ANY($1)', [ids])
      await until(() => openOrders(alpaca) === OPEN_ORDERS)
      await wait(WAIT_SECONDS * 1_000)
      const { rows } = await program.foundation.pool.query<{ health_problem: string }>(
        'SELECT health_problem FROM deployments WHERE health_problem IS NOT NULL',
      )
      if (rows[0]) throw new Error(`a deployment does not trade: ${rows[0].health_problem}`)
      const perMinute = log.calls.filter(({ at }) => at > Date.now() - MINUTE).length
      const goal = { on: 'ours', under: CALLS_PER_MINUTE } as const
      report(benchRow({ bench: 'live-stop/calls in a minute of waiting', ours: perMinute, unit: 'calls', goal }))
      // One deployment, then all that are left.
      const control = () => trader.post(`/api/deployment/${ids[0]!}/control`, { action: 'stop' })
      for (const row of await pressed(log, 'Stop', 2, control)) report(row)
      const emergency = () => trader.post('/api/deployment/emergency-stop', {})
      for (const row of await pressed(log, 'emergency stop', OPEN_ORDERS - 2, emergency)) report(row)
      if (openOrders(alpaca) > 0) throw new Error(`${openOrders(alpaca)} orders are still open`)
      const refused = log.calls.filter(({ status }) => status === 429).length
      const none = { on: 'ours', under: 1 } as const
      report(benchRow({ bench: 'live-stop/calls refused by the broker', ours: refused, unit: 'calls', goal: none }))
    } finally {
      await program.stop()
      await alpaca.close()
      await coinbase.close()
    }
  },
}
export default stop

interface CallLog {
  readonly calls: { at: number; method: string; path: string; status: number }[]
}

function recordCalls(alpaca: AlpacaStandIn): CallLog {
  const calls: CallLog['calls'] = []
  alpaca.server.on('request', (request, response) => {
    const call = { at: Date.now(), method: request.method ?? '', path: request.url ?? '', status: 0 }
    calls.push(call)
    response.on('finish', () => (call.status = response.statusCode))
  })
  return { calls }
}

const openOrders = ({ account }: AlpacaStandIn): number =>
  account.orders.filter(({ status }) => status === 'new').length

async function deployAll(trader: Trader): Promise<number[]> {
  const keys = { api_key: STAND_IN_KEYS.keyId, api_secret: STAND_IN_KEYS.secretKey }
  const { account } = await trader.post<{ account: { id: number } }>('/api/alpaca/accounts', {
    account_name: 'Main',
    ...keys,
  })
  const ids: number[] = []
  for (let i = 0; i < OPEN_ORDERS / 2; i++)
    ids.push(await trader.deploy(`Coins ${i}`, strategy, { ...form, alpaca_account_id: account.id }))
  return ids
}

async function pressed(
  { calls }: CallLog,
  button: string,
  count: number,
  press: () => Promise<unknown>,
): Promise<BenchRow[]> {
  const at = Date.now()
  const answered = press().then(() => Date.now() - at)
  // The first cancellation of each order counts: one whose end is not known yet is cancelled again, and refused.
  const cancels = () => {
    const before = new Set(calls.filter((call) => call.method === 'DELETE' && call.at < at).map(({ path }) => path))
    const fresh = calls.filter(({ method, path, at: when }) => method === 'DELETE' && when >= at && !before.has(path))
    return [...new Map(fresh.toReversed().map((call) => [call.path, call])).values()].sort((a, b) => a.at - b.at)
  }
  await until(() => cancels().length >= count)
  const [first, last] = [cancels()[0]!.at - at, cancels()[count - 1]!.at - at]
  const row = (what: string, ours: number, goal?: typeof WITHIN_A_SECOND) =>
    benchRow({ bench: `live-stop/${button}, ${what}`, ours, unit: 'ms', ...(goal && { goal }) })
  return [
    row('first cancellation', first, WITHIN_A_SECOND),
    row(`last of ${count} cancellations`, last, WITHIN_A_SECOND),
    row('answered', await answered),
  ]
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const start = Date.now(); !isTrue(); await wait(5))
    if (Date.now() - start > 2 * MINUTE) throw new Error('it did not happen within two minutes')
}
