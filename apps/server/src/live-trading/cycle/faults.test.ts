import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { binanceStage } from '../../../test-support/live/binance-stage.ts'
import { accountFaults } from '../../../test-support/live/faults/account-faults.ts'
import { orderFaults } from '../../../test-support/live/faults/order-faults.ts'
import { surroundingFaults } from '../../../test-support/live/faults/surrounding-faults.ts'
import { deploymentOf, invested, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, liveWorld, logOf, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const port = { stage: undefined, played: 'behind the port', isExchange: false }
const alpaca = { stage: alpacaStage, played: 'behind Alpaca’s HTTP', isExchange: false }
const exchange = { stage: binanceStage, played: 'behind Binance’s HTTP and ccxt', isExchange: true }
const alone = { processes: 1, count: 'one process' }
const together = { processes: 2, count: 'two processes at once' }
const usual = [
  { ...port, ...alone },
  { ...alpaca, ...together },
  { ...exchange, ...alone },
]
const others = [
  { ...port, ...together },
  { ...alpaca, ...alone },
  { ...exchange, ...together },
]

/** LIVE_CAMPAIGN runs all six; the usual tests three that have everything once. */
const settings = process.env['LIVE_CAMPAIGN'] === undefined ? usual : [...usual, ...others]

const faults = [...orderFaults, ...accountFaults, ...surroundingFaults]

describe.each(settings)('a fault $played, with $count', ({ stage, processes, isExchange }) => {
  it.each(faults.filter(({ isOfStocksOnly }) => !(isExchange && isOfStocksOnly)))(
    '$fault: nothing is doubled, lost or untold',
    async (faultCase) => {
      const world = await liveWorld({ database, ...(stage && { stage }) })
      try {
        const runners = Array.from({ length: processes }, () => world.process().runner)
        const { deployment } = faultCase.isInvested
          ? await invested(world, runners)
          : { deployment: await world.deployed({ settings: settingsOf(faultCase.settings) }) }
        await faultCase.play({
          world,
          stage: world.stage,
          deployment,
          beat: (times) => settle(world, runners, times),
        })

        const { slice, orders, outcome, status = 'running', health, told } = faultCase.ends
        expect(await sliceOf(world, deployment.id)).toEqual(slice)
        expect(await world.stage.ordersTaken()).toHaveLength(orders)
        if (outcome) expect(await outcomeOf(world, deployment.id)).toBe(outcome)
        const { status: now, healthProblem } = await deploymentOf(world, deployment.id)
        expect(now).toBe(status)
        if (health) expect(healthProblem?.sentence).toMatch(health)
        else expect(healthProblem).toBeNull()
        expect((await activityOf(world, deployment.id)).join('\n')).toMatch(told)
        expect(await logOf(world, deployment.id)).toMatch(told)
        await expectSound(world)
        expect(world.stage.violations).toEqual([])
      } finally {
        await world.close()
      }
    },
  )
})
