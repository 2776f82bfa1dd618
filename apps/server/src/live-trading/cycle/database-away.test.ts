import { SECOND } from '@tradewright/core/time'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { INVESTED, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, liveWorld, logOf, settle } from '../../../test-support/live/live-world.ts'
import { readyDataDir } from '../../../test-support/ready-data-dir.ts'
import type { TestDatabase } from '../../../test-support/test-database.ts'
import { openCluster } from '../../adapters/postgres/cluster.ts'
import { type RunningServer, startEmbeddedPostgres, startServer } from '../../adapters/postgres/embedded-postgres.ts'
import { createLog } from '../../log.ts'
import { connectDatabase } from '../../stores/database.ts'

/** A PostgreSQL of its own, which the test stops and starts again at the same address. */
interface Postgres extends TestDatabase {
  goAway(): Promise<void>
  comeBack(): Promise<void>
}

let folder: string
let postgres: Postgres
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tradewright-away-'))
  postgres = await ownPostgres(readyDataDir(folder))
})
afterAll(async () => {
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ownPostgres(dataDir: string): Promise<Postgres> {
  const first = await startEmbeddedPostgres(dataDir)
  const port = Number(new URL(first.url).port)
  const connection = connectDatabase(first.url, createLog({ logLevel: 'silent' }), 5)
  let server: Pick<RunningServer, 'stop'> = first
  return {
    ...connection,
    url: first.url,
    goAway: () => server.stop(),
    async comeBack() {
      server = await startServer(await openCluster(dataDir), port)
    },
    async close() {
      await connection.close()
      await server.stop()
    },
  }
}

it.each(['before the decision', 'between the broker’s answer and our note of it'] as const)(
  'a database that is away for a minute, %s, loses and doubles nothing',
  async (moment) => {
    const world = await liveWorld({ database: postgres, stage: alpacaStage })
    try {
      const deployment = await world.deployed()
      const { deps, runner } = world.process()
      await runner.tick()
      world.toDecision()
      const { orders } = deps.database
      const adopt = orders.adopt.bind(orders)
      if (moment === 'before the decision') await postgres.goAway()
      else {
        let isFirst = true
        orders.adopt = async (...adopted) => {
          if (isFirst) await postgres.goAway()
          isFirst = false
          return adopt(...adopted)
        }
      }
      await runner.tick()
      orders.adopt = adopt
      expect((await world.stage.ordersTaken()).length).toBeLessThanOrEqual(1)
      for (let second = 0; second < 3; second++) {
        world.clock.advance(20 * SECOND)
        await runner.tick()
      }
      await postgres.comeBack()
      await settle(world, runner, 8)
      expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
      expect(await world.stage.ordersTaken()).toHaveLength(2)
      expect((await deps.database.decisions.latest(deployment.id))?.outcome).toBe('done')
      expect((await activityOf(world, deployment.id)).join('\n')).toMatch(
        /The database could not be reached for \d+ seconds; nothing was sent meanwhile/,
      )
      expect(await logOf(world, deployment.id)).toMatch(/The database could not be reached for \d+ seconds/)
      await expectSound(world)
    } finally {
      await world.close()
    }
  },
)

it('keeps the lines of the log until it is back', async () => {
  const world = await liveWorld({ database: postgres })
  const deployment = await world.deployed()
  const { deploymentLog, database } = world.process().deps
  await postgres.goAway()
  deploymentLog.write(deployment.id, 'WARNING', 'Status: written while the database was away')
  await deploymentLog.flush()
  await postgres.comeBack()
  await deploymentLog.flush()
  const lines = await database.journal.logTail(deployment.id, 5)
  expect(lines.join('\n')).toContain('written while the database was away')
  await world.close()
})
