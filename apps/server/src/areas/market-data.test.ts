import { dateOf, dayStamp } from '@tradewright/core/time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noCompute } from '../../test-support/no-compute.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { createTestUser } from '../../test-support/test-user.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { createSeal } from '../secrets/seal.ts'
import { systemClock } from '../system-clock.ts'
import { openMarketData } from './market-data.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

it('keeps the series of each user in a system store of their own, also after a restart', async () => {
  const dataDir = temporaryFolder()
  const userId = await createTestUser(database.database, 'owner')
  const strangerId = await createTestUser(database.database, 'stranger')
  const range = { from: dayStamp(dateOf('2024-01-01')), to: dayStamp(dateOf('2024-02-01')) }
  const config = readConfig({ DATA_DIR: dataDir })
  const seal = createSeal('a secret that only tests know')
  const open = () =>
    openMarketData(config, { ...database, seal, compute: noCompute }, systemClock, createLog({ logLevel: 'silent' }))

  const before = open()
  const request = { userId, tickers: ['SPY'], range, granularity: '1d', provider: 'sample' } as const
  const { series } = await before.seriesFor(request, new AbortController().signal)
  expect(series.get('SPY')!.timestamps).toHaveLength(21)
  await before.close()

  const after = open()
  const own = await after.stores.defaultOf(userId)
  expect((await own.series.counts()).gold).toBeGreaterThan(100)
  expect((await (await after.stores.defaultOf(strangerId)).series.counts()).gold).toBe(0)
  await expect(after.stores.find(strangerId, own.id)).rejects.toThrow('There is no such data store.')
  await after.close()
})
