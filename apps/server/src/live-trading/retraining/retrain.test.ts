import { Problem } from '@tradewright/core/problem'
import { DAY, HOUR } from '@tradewright/core/time'
import { versionAt } from '@tradewright/engine/live/model-versions'
import type { MlStrategy } from '@tradewright/engine/backtest/request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { strategyOf } from '../../../test-support/live/fake-signal-service.ts'
import { expireLeases, healthOf, mailsOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  deployForm,
  liveWorld,
  type LiveWorld,
  logOf,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { controlDeployment } from '../control.ts'
import { checksumOf } from '../cycle/propose/trained-model.ts'
import { deploy } from '../deploy/deploy.ts'
import type { Deployment } from '../deployment.ts'
import { editDeployment } from '../deploy/edit.ts'
import type { SignalService } from '../ports/signal-service.ts'
import { deploymentOverview } from '../views.ts'
import { recipeOf } from './recipe.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const ml: MlStrategy = {
  kind: 'ml',
  trainPct: 70,
  walkForward: { trainPct: 50, testPct: 10, stepPct: undefined },
  features: [{ id: 1, params: { ticker: 'SPY', window: 5 } }],
  target: { id: 1, params: { ticker: 'SPY' } },
  buy: [{ ticker: 'SPY', allocationPct: 100 }],
  sell: [{ ticker: 'TLT', allocationPct: 100 }],
}
const fixed = strategyOf({ SPY: 100 })
const strategy = { ...fixed, request: { ...fixed.request, strategy: ml }, model: { kind: 'linear' as const } }

interface RetrainedWorld {
  readonly world: LiveWorld
  readonly deployment: Deployment
  readonly trainings: () => number
  /** The next trainings do this. */
  train: SignalService['retrain']
}

/** A window lasts a day: each close makes the next model due. */
async function retrainedWorld(): Promise<RetrainedWorld> {
  const world = await liveWorld({ database, percentages: { SPY: 100 } })
  let trainings = 0
  const trained: SignalService['retrain'] = async ({ refit: { newest, at } }) => {
    const number = (newest ?? 9) + 1
    const bytes = Buffer.from(`model ${number}`)
    const about = { fingerprint: 'f', rows: 10, from: '2020-01-02', to: '2026-03-02', notes: [], synthetic: false }
    return {
      model: {
        ...about,
        bytes,
        checksum: checksumOf(bytes),
        description: '10 rows',
        window: { number, sizedOnRows: 1000, after: Math.floor(at / DAY) * DAY },
      },
      nextAt: at + 23 * HOUR,
    }
  }
  const signal = world.signalService.signal.bind(world.signalService)
  world.signalService.signal = async (question) => {
    const answer = await signal(question)
    const dataAsOf = Math.floor(question.at / DAY) * DAY
    const modelVersion = versionAt(question.models, dataAsOf)!.version
    return { ...answer, signal: { ...answer.signal, dataAsOf, modelVersion } }
  }
  const story: RetrainedWorld = {
    world,
    train: trained,
    trainings: () => trainings,
    deployment: await started({ ...world, deps: { ...world.deps, readStrategy: () => strategy } }),
  }
  world.signalService.retrain = (question, signal_) => {
    trainings++
    return story.train(question, signal_)
  }
  return story
}

async function started({ deps, userId, accountId }: Pick<LiveWorld, 'deps' | 'userId' | 'accountId'>) {
  const { id: strategyId } = await database.database
    .selectFrom('strategies')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { deployment } = await deploy(deps, userId, deployForm({ strategyId, accountId }))
  return controlDeployment(deps, userId, deployment.id, 'start')
}

const overviewOf = ({ world, deployment }: RetrainedWorld) =>
  deploymentOverview(world.deps, world.userId, deployment.id)
const decidedBy = async (story: RetrainedWorld) => (await overviewOf(story)).lastDecision?.signal.modelVersion
const versionsOf = async (story: RetrainedWorld) => (await overviewOf(story)).models.map(({ version }) => version)

describe('a deployment of a walk-forward strategy', () => {
  it('is retrained unless it is told not to', async () => {
    const { world, deployment } = await retrainedWorld()
    expect(deployment.settings.retraining).toBe('walk_forward')
    const { strategyId } = deployment
    const deps = { ...world.deps, readStrategy: () => strategy }
    await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
    const form = { name: 'Kept', strategyId, accountId: null }
    const edited = (more: object) =>
      editDeployment(deps, world.userId, deployment.id, { ...form, settings: { ...settingsOf(), ...more } })
    expect((await edited({ retraining: 'never' })).settings.retraining).toBe('never')
    expect((await edited({})).settings.retraining).toBe('never')
    const once = { ...deps, readStrategy: () => fixed }
    await expect(
      editDeployment(once, world.userId, deployment.id, {
        ...form,
        settings: { ...settingsOf(), retraining: 'walk_forward' },
      }),
    ).rejects.toThrow('The strategy has no walk-forward windows')
    await world.close()
  })

  it('is trained before its first decision, and each decision names its model', async () => {
    const story = await retrainedWorld()
    const { world } = story
    const runner = world.runner()
    await settle(world, runner, 1)
    expect(await versionsOf(story)).toEqual([1])
    world.toDecision()
    await settle(world, runner, 4)
    expect(await decidedBy(story)).toBe(1)
    world.toDecision()
    await settle(world, runner, 4)
    expect(await versionsOf(story)).toEqual([1, 2])
    world.toDecision()
    await settle(world, runner, 4)
    expect(await decidedBy(story)).toBe(2)
    expect((await activityOf(world, story.deployment.id)).join('\n')).toContain(
      'Model version 2 was trained on 2020-01-02 to 2026-03-02.',
    )
    await world.close()
  })

  it('keeps its model when a training fails, says so, and trains again later', async () => {
    const story = await retrainedWorld()
    const { world, deployment } = story
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    const works = story.train
    story.train = () => Promise.reject(new Problem('unavailable', 'data.away', 'The data provider cannot be reached.'))
    world.toDecision()
    await settle(world, runner, 4)
    const sentence =
      'The model that is due could not be trained; version 1 continues to decide. The data provider cannot be reached.'
    expect(await decidedBy(story)).toBe(1)
    expect(await healthOf(world, deployment.id)).toBeNull()
    const { health, view } = await overviewOf(story)
    expect(health).toMatchObject({ light: 'yellow', reasons: [sentence] })
    expect(view.deployment.retrainingProblem).toBe(sentence)
    expect(await logOf(world, deployment.id)).toContain(sentence)
    expect((await activityOf(world, deployment.id)).join('\n')).toContain(sentence)
    expect((await mailsOf(world)).map(({ text }) => text)).toContain(sentence)
    const tried = story.trainings()
    await settle(world, runner, 3)
    expect(story.trainings()).toBe(tried)
    story.train = works
    world.clock.advance(HOUR)
    await settle(world, runner, 2)
    expect(await versionsOf(story)).toEqual([1, 2])
    expect((await overviewOf(story)).health).toMatchObject({ light: 'green', reasons: [] })
    await world.close()
  })

  it('goes on by its model while the process that trains is killed, and another one trains it', async () => {
    const story = await retrainedWorld()
    const { world, deployment } = story
    const first = world.process()
    world.toDecision()
    await settle(world, first.runner, 4)
    const works = story.train
    story.train = () => new Promise(() => {})
    world.clock.advance(23 * HOUR)
    // It begins the training and never comes back.
    void first.runner.tick()
    await expect.poll(() => story.trainings()).toBe(2)
    expect(await versionsOf(story)).toEqual([1])
    await expireLeases(world)
    story.train = works
    const second = world.process()
    world.toDecision()
    await settle(world, second.runner, 4)
    expect(await decidedBy(story)).toBe(1)
    expect(await versionsOf(story)).toEqual([1, 2])
    expect(await healthOf(world, deployment.id)).toBeNull()
    await world.close()
  })

  it('that was trained late decides from the next bar on: what was decided stays its predecessor’s', async () => {
    const story = await retrainedWorld()
    const { world, deployment } = story
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    const works = story.train
    story.train = () => Promise.reject(new Error('no thread'))
    world.toDecision()
    await settle(world, runner, 4)
    const decided = (await overviewOf(story)).lastDecision!.signal.dataAsOf!
    story.train = async (question, signal) => {
      const answer = await works(question, signal)
      return { ...answer, model: { ...answer.model!, window: { ...answer.model!.window, after: decided - 5 * DAY } } }
    }
    world.clock.advance(HOUR)
    await settle(world, runner, 2)
    const [, late] = await world.deps.database.models.versions(deployment.id, recipeOf(deployment))
    expect(late!.after!.getTime()).toBe(decided)
    await world.close()
  })
})
