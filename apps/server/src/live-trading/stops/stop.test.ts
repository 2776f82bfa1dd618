import { Decimal } from '@tradewright/core/decimal'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import {
  expectSound,
  type LiveProcess,
  type LiveWorld,
  liveWorld,
  settle,
} from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { controlDeployment } from '../control.ts'
import type { Deployment } from '../deployment.ts'
import { emergencyStop } from './emergency-stop.ts'

const TICKERS = Array.from({ length: 20 }, (_, i) => `T${String.fromCodePoint(65 + i)}`)

let database: TestDatabase
let world: LiveWorld
let stage: AlpacaStage
let process: LiveProcess
let deployment: Deployment
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** Twenty orders that are open, at a broker that refuses the 201st call of a minute. */
beforeEach(async () => {
  world = await liveWorld({
    database,
    percentages: Object.fromEntries(TICKERS.map((ticker) => [ticker, 5])),
    stage: async (market) => (stage = await alpacaStage(market, { symbols: [...TICKERS, 'GLD'], callsPerMinute: 200 })),
  })
  for (const ticker of TICKERS) world.quotes.set(ticker, Decimal.parse('50'))
  deployment = await world.deployed()
  process = world.process()
  stage.holdsFills = true
  world.toDecision()
  await process.runner.tick()
  expect(openAtBroker()).toHaveLength(20)
})
afterEach(async () => {
  expect(stage.violations).toEqual([])
  await world.close()
})

const openAtBroker = () => stage.standIn.account.orders.filter(({ status }) => status === 'new')
const callsOf = (method: string) => stage.standIn.requests.filter((request) => request.method === method)

/** Another program of the user's, or a long collection, has used up all that is left to reads. */
async function exhaustReads(): Promise<void> {
  const before = stage.waitedMillis
  while (stage.waitedMillis === before) await stage.broker.clock()
}

describe('with 20 open orders at a broker that allows 200 calls a minute', () => {
  it('waiting for them costs one call a second', async () => {
    world.clock.advance(61_000)
    await process.runner.tick()
    const before = stage.standIn.requests.length
    await settle(world, process.runner, 20)
    const made = stage.standIn.requests.slice(before)
    expect(made).toHaveLength(20)
    expect(new Set(made.map(({ path }) => path))).toEqual(new Set(['/v2/orders']))
    expect(stage.waitedMillis).toBe(0)
  })

  it('an execution is booked at the poll after it', async () => {
    await settle(world, process.runner, 3)
    stage.holdsFills = false
    stage.fillPart('TA', 0.5)
    await settle(world, process.runner, 2)
    stage.trade()
    await settle(world, process.runner, 2)
    await expectSound(world)
    const { positions } = await world.deps.database.books.slice(world.accountId, deployment.id)
    expect(positions.size).toBe(20)
  })

  const stops = [
    {
      button: 'Stop',
      press: async () => {
        await controlDeployment(process.deps, world.userId, deployment.id, 'stop')
      },
    },
    {
      button: 'emergency stop',
      press: async () => {
        const deps = { ...process.deps, knownBroker: () => undefined, knownDeployments: () => [] }
        expect(await emergencyStop(deps, world.userId, deployment.id)).toMatchObject({ cancelledOrders: 20 })
      },
    },
  ]

  it.each(stops)('$button cancels all of them at once, although nothing is left for reads', async ({ press }) => {
    await exhaustReads()
    const waited = stage.waitedMillis
    await press()
    expect(openAtBroker()).toEqual([])
    expect(stage.waitedMillis).toBe(waited)
    expect(callsOf('DELETE')).toHaveLength(20)
  })

  it('a stop whose process died is carried out by the one that runs the deployment, before it reads the account', async () => {
    await process.deps.database.deployments.change(deployment.id, {
      status: 'stopped',
      statusAt: world.clock.now(),
      nextRunAt: null,
    })
    await exhaustReads()
    const before = stage.standIn.requests.length
    await process.runner.tick()
    const made = stage.standIn.requests.slice(before, before + 20)
    expect(made.map(({ method }) => method)).toEqual(Array.from({ length: 20 }, () => 'DELETE'))
    expect(openAtBroker()).toEqual([])
  })
})
