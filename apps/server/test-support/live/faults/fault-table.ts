import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alpacaStage } from '../alpaca-stage.ts'
import { binanceStage } from '../binance-stage.ts'
import { accountFaults } from './account-faults.ts'
import { orderFaults } from './order-faults.ts'
import { surroundingFaults } from './surrounding-faults.ts'
import { deploymentOf, invested, outcomeOf, sliceOf } from '../live-story.ts'
import { activityOf, expectSound, liveWorld, logOf, settingsOf, settle } from '../live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../test-database.ts'

const port = { stage: undefined, played: 'behind the port', isExchange: false }
const alpaca = { stage: alpacaStage, played: 'behind Alpaca’s HTTP', isExchange: false }
const exchange = { stage: binanceStage, played: 'behind Binance’s HTTP and ccxt', isExchange: true }
const alone = { processes: 1, count: 'one process' }
const together = { processes: 2, count: 'two processes at once' }

/** A broker, and how many processes trade at it. */
export const FAULT_SETTINGS = {
  port: { ...port, ...alone },
  ports: { ...port, ...together },
  alpaca: { ...alpaca, ...alone },
  alpacas: { ...alpaca, ...together },
  exchange: { ...exchange, ...alone },
  exchanges: { ...exchange, ...together },
}

const faults = [...orderFaults, ...accountFaults, ...surroundingFaults]

/** Plays every fault in each of these settings. */
export function faultTable(settings: readonly (typeof FAULT_SETTINGS)[keyof typeof FAULT_SETTINGS][]): void {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.close())

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
}
