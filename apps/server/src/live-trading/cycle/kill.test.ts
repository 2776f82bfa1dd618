import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectSound, type LiveWorld, liveWorld, settle } from '../../../test-support/live/live-world.ts'
import { serveBroker } from '../../../test-support/live/remote-broker.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { ORDER_STEPS, type OrderStep } from './order-steps.ts'

const script = fileURLToPath(new URL('../../../test-support/live/live-process.ts', import.meta.url))

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** Runs the deployments in a process of its own until it kills itself after the step. */
async function runAndDie(world: LiveWorld, brokerUrl: string, step: OrderStep, times: number): Promise<string | null> {
  const quotes = Object.fromEntries([...world.quotes].map(([ticker, price]) => [ticker, String(price)]))
  const argument = [database.url, brokerUrl, world.clock.now().getTime(), step, times, world.desk.percents, quotes]
  const child = spawn(process.execPath, [script, JSON.stringify(argument)], { stdio: 'inherit' })
  return new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)))
}

/** Between two orders, too: the first is on its way, the second is not. */
const deaths = [...ORDER_STEPS.map((step) => ({ step, times: 1 })), { step: 'order-placed' as const, times: 2 }]

it.each(deaths)('kill -9 after $step ($times) doubles no order and loses none', async ({ step, times }) => {
  const world = await liveWorld({ database })
  const deployment = await world.deployed()
  const first = world.runner()
  world.toDecision()
  await settle(world, first, 3)
  await first.close()
  // The next decision sells everything and buys something else: every step is on its way.
  world.desk.percents = { GLD: 100 }
  world.toDecision()
  const remote = await serveBroker(world.broker)
  try {
    expect(await runAndDie(world, remote.url, step, times)).toBe('SIGKILL')
  } finally {
    await remote.close()
  }
  await sql`UPDATE deployment_leases SET expires_at = clock_timestamp() - interval '1 second'`.execute(
    database.database,
  )
  world.clock.advance(5_000)
  await settle(world, world.runner(), 6)

  const orders = await world.broker.inner.orders({ state: 'all' })
  expect(orders.map(({ side, ticker, state }) => `${side} ${ticker} ${state}`).sort()).toEqual([
    'buy GLD filled',
    'buy SPY filled',
    'buy TLT filled',
    'sell SPY filled',
    'sell TLT filled',
  ])
  const { positions } = await world.deps.database.books.slice(world.accountId, deployment.id)
  expect([...positions].map(([ticker, quantity]) => `${String(quantity)} ${ticker}`)).toEqual(['55.40166205 GLD'])
  expect((await world.deps.database.decisions.latest(deployment.id))?.outcome).toBe('done')
  expect((await world.deps.database.deployments.byId(deployment.id))?.status).toBe('running')
  await expectSound(world)
  await world.close()
})
