import { tradedAs } from '@tradewright/engine/live/trading-weights'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { liveWorld } from '../../../test-support/live/live-world.ts'
import { deployedRules, rulesData, rulesDeps, rulesRequest } from '../../../test-support/live/rules-story.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { signalTickers } from './deployable-strategies.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const runnable = (ticker: string) => ({
  request: { ...rulesRequest, strategy: { kind: 'allocation' as const, allocation: [{ ticker, allocationPct: 100 }] } },
  model: undefined,
  provider: 'sample',
})

const deploy = async (ticker: string) => {
  const world = await liveWorld({ database })
  try {
    return await deployedRules(world, { ...rulesDeps(world, rulesData()), readStrategy: () => runnable(ticker) })
  } finally {
    await world.close()
  }
}

it('a ticker with a fallback is deployed, and trades itself alone', async () => {
  expect(signalTickers(runnable('spy?fb=tlt'))).toEqual(['SPY?FB=TLT'])
  expect(tradedAs('SPY?FB=TLT', {})).toEqual({ ticker: 'SPY', leverage: 1 })
  await expect(deploy('SPY?FB=TLT')).resolves.toMatchObject({ status: 'running' })
})

it('a bond made of yields is refused with the reason', async () => {
  await expect(deploy('DGS10?M=10')).rejects.toThrow(
    'DGS10?M=10 is a bond built from yields: its price for a day is published on the next day, and it cannot be bought.',
  )
})
