import { afterAll, beforeAll, expect, it } from 'vitest'
import { strategyOf } from '../../../test-support/live/fake-signal-service.ts'
import { healthOf } from '../../../test-support/live/live-story.ts'
import { activityOf, deployForm, expectSound, liveWorld, logOf, settle } from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { deploy } from '../deploy/deploy.ts'
import { controlDeployment } from '../control.ts'
import { checksumOf } from './propose/trained-model.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const bytes = Buffer.from('a model')

async function trainedWorld() {
  const world = await liveWorld({ database })
  let trainings = 0
  world.signalService.train = async () => {
    trainings++
    const about = { fingerprint: 'f', rows: 10, from: '2020-01-02', to: '2026-03-02', notes: [], synthetic: false }
    return { bytes, checksum: checksumOf(bytes), ...about, description: '10 rows' }
  }
  const strategy = await database.database
    .selectFrom('strategies')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const deps = {
    ...world.deps,
    readStrategy: () => ({ ...strategyOf({ SPY: 60, TLT: 40 }), model: { kind: 'linear' as const } }),
  }
  const form = deployForm({ strategyId: strategy.id, accountId: world.accountId })
  const { deployment } = await deploy(deps, world.userId, form)
  await controlDeployment(world.deps, world.userId, deployment.id, 'start')
  const runner = world.runner()
  world.toDecision()
  await settle(world, runner, 5)
  return { world, deployment, runner, trainings: () => trainings }
}

it('is trained once, and decides from then on', async () => {
  const { world, deployment, runner, trainings } = await trainedWorld()
  world.toDecision()
  await settle(world, runner, 3)
  expect(trainings()).toBe(1)
  expect(await world.stage.ordersTaken()).toHaveLength(2)
  expect(await healthOf(world, deployment.id)).toBeNull()
  await world.close()
})

it.each(['damaged', 'missing'])('that is %s is refused and told, not replaced behind the user’s back', async (how) => {
  const { world, deployment, runner, trainings } = await trainedWorld()
  const models = database.database
  if (how === 'damaged')
    await models
      .updateTable('deployment_models')
      .set({ bytes: Buffer.from('another') })
      .execute()
  else await models.deleteFrom('deployment_models').execute()
  world.signalService.percentages = { TLT: 100 }
  await runner.close()
  world.toDecision()
  await settle(world, world.runner(), 2)
  expect(await healthOf(world, deployment.id)).toContain(`The stored model is ${how}.`)
  expect((await activityOf(world, deployment.id)).join('\n')).toContain(`The stored model is ${how}.`)
  expect(await logOf(world, deployment.id)).toContain(`The stored model is ${how}.`)
  await expectSound(world)
  expect(await world.stage.ordersTaken()).toHaveLength(2)
  expect(trainings()).toBe(1)
  await world.close()
})
