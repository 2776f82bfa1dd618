import { expect, it } from 'vitest'
import { type RunningProgram, startProgram } from '../../test-support/program.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'

/** LIVE_CAMPAIGN kills more often. */
const KILLS = process.env['LIVE_CAMPAIGN'] === undefined ? 1 : 4
const DEPLOYMENTS = 2
const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Coins, on the built-in paper account: it trades on any day, at any hour. */
const strategy = {
  name: 'Coins',
  strategy_type: 'Asset Allocation',
  config: {
    allocations: [
      { ticker: 'BTC-USD', allocation: 60 },
      { ticker: 'ETH-USD', allocation: 40 },
    ],
    startDate: '2020-01-02',
    endDate: '2025-12-31',
    dataProvider: 'sample',
    dataGranularity: 'daily',
  },
}

async function signUp(program: RunningProgram) {
  let token = ''
  const post = async <Answer>(path: string, body: object, at = program): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(at.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status, path).toBe(200)
    return (await answer.json()) as Answer
  }
  token = (await post<{ token: string }>('/api/register', { username: 'ann', password: 'correct horse battery' })).token
  return post
}

/** Whether it runs any of them; it names itself in its log. */
const isHolder = (program: RunningProgram, leases: readonly { holder: string }[]): boolean =>
  leases.some(({ holder }) => program.output().includes(holder))

/** Counts of what must be one each, and of what is left to do. */
async function stateOf({ database }: TestDatabase) {
  const decisions = await database.selectFrom('deployment_decisions').selectAll().execute()
  const intents = await database.selectFrom('order_intents').selectAll().execute()
  const deployments = await database.selectFrom('deployments').select('health_problem').execute()
  const taken = await database.selectFrom('paper_orders').select(['client_order_id', 'state']).execute()
  return {
    decisions: decisions.length,
    atWork: decisions.filter(({ outcome }) => outcome === 'selling' || outcome === 'buying').length,
    problems: deployments.flatMap((one) => one.health_problem ?? []),
    unsettled: intents.filter(({ state }) => state !== 'filled').map(({ state, reason }) => `${state} ${reason}`),
    intents: intents.map((intent) => intent.client_order_id).sort(),
    taken: taken.map((order) => order.client_order_id).sort(),
  }
}

it('two servers on one PostgreSQL run each deployment once, and one takes over when the other is killed', async () => {
  const database = await createTestDatabase()
  // Prices lie in files that all who share the database share.
  const environment = { DATABASE_URL: database.url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'info' }
  const start = () => startProgram(environment)
  let running: RunningProgram[] = await Promise.all([start(), start()])
  try {
    const post = await signUp(running[0]!)
    const { account } = await post<{ account: { id: number } }>('/api/alpaca/paper-account', {})
    const { id: strategyId } = await post<{ id: number }>('/api/strategies', strategy)
    const ids: number[] = []
    for (let i = 0; i < DEPLOYMENTS; i++) {
      const { deployment } = await post<{ deployment: { id: number } }>('/api/deployment/create', {
        deployment_name: `Coins ${i}`,
        strategy_id: strategyId,
        alpaca_account_id: account.id,
        capital_policy_value: 1000,
        rebalance_threshold: 5,
        check_frequency_minutes: 1440,
        bypass_market_hours: true,
        trading_days: WEEK,
        auto_start: true,
      })
      ids.push(deployment.id)
    }
    for (let round = 1; round <= KILLS + 1; round++) {
      await database.database.updateTable('deployments').set({ next_run_at: new Date() }).execute()
      await expect
        .poll(async () => ({ ...(await stateOf(database)), intents: 0, taken: 0 }), { timeout: 120_000, interval: 200 })
        .toEqual({ decisions: round * DEPLOYMENTS, atWork: 0, problems: [], unsettled: [], intents: 0, taken: 0 })
      const { intents, taken } = await stateOf(database)
      expect(taken).toEqual(intents)
      expect(taken).toHaveLength(round * DEPLOYMENTS * 2)
      const leases = await database.database.selectFrom('deployment_leases').selectAll().execute()
      expect(leases.map((lease) => lease.deployment_id).sort((a, b) => a - b)).toEqual(ids)
      if (round > KILLS) break
      const [dying, staying] = isHolder(running[0]!, leases) ? running : running.toReversed()
      await dying!.stop('SIGKILL')
      const expired = { expires_at: new Date(0) }
      await database.database.updateTable('deployment_leases').set(expired).execute()
      // New money is a reason to trade.
      for (const id of ids) {
        await post(`/api/deployment/${id}/contributions`, { amount: 500, contribution_type: 'CONTRIBUTION' }, staying)
      }
      running = [staying!, ...(round < KILLS ? [await start()] : [])]
    }
  } finally {
    await Promise.all(running.map((program) => program.stop('SIGKILL')))
    await database.close()
  }
}, 600_000)
