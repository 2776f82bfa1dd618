import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { dateOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import {
  deploymentOf,
  expireLeases,
  healthOf,
  invested,
  mailsOf,
  sliceOf,
} from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settle, settingsOf } from '../../../test-support/live/live-world.ts'
import { acceptBroker } from '../capital/accept-broker.ts'
import { controlDeployment } from '../control.ts'
import type { LiveRunner } from '../cycle/runner.ts'
import type { Deployment } from '../deployment.ts'
import { editDeployment } from '../deploy/edit.ts'
import { emergencyStop } from '../stops/emergency-stop.ts'
import { previewDecision } from '../deploy/preview.ts'
import { viewDeployment } from '../views.ts'
import { chooseTicker, type TickerChoice } from './choose.ts'

let world: LiveWorld
eachInAWorld(
  (opened) => {
    world = opened
  },
  { stage: alpacaStage },
)

const account = () => (world.stage as AlpacaStage).standIn.account
const NEW_SYMBOL = { from: 'SPY', to: 'AAPL' }
const UNCHANGED = ['0', '15 AAPL', '44.444444444 TLT']

let deployment: Deployment
let runner: LiveRunner

const rename = (from: string, to: string, quantity: string) =>
  account().act([
    { type: 'NC', symbol: from, qty: `-${quantity}`, description: `Name Change from ${from} to ${to}` },
    { type: 'NC', symbol: to, qty: quantity, description: `Name Change from ${from} to ${to}` },
  ])

/** 15 SPY of the deployment become 15 AAPL between two runs. */
async function renamed(): Promise<void> {
  ;({ deployment, runner } = await invested(world))
  world.quotes.set('AAPL', Decimal.parse('400'))
  world.clock.advance(61_000)
  rename('SPY', 'AAPL', '15')
}

async function nextRun(): Promise<void> {
  world.toDecision()
  await restart()
}

/** By another process, in the time of the run that is due. */
async function restart(): Promise<void> {
  await expireLeases(world)
  runner = world.process().runner
  await settle(world, runner, 6)
}

const ADA = { kind: 'user' as const, name: 'Ada', session: 'Firefox on Linux' }

const choose = (choice: TickerChoice, change = NEW_SYMBOL) =>
  chooseTicker({ ...world.deps, actor: ADA }, world.userId, deployment.id, change, choice)

const reasonOfDecision = async () => (await world.deps.database.decisions.latest(deployment.id))!.reason
const actorOf = async (start: string) =>
  (await world.deps.database.journal.activity(deployment.id, 50))
    .flatMap(({ activity }) => (activity.type === 'event' && activity.message.includes(start) ? [activity.actor] : []))
    .at(0)

/** After the first two, which bought SPY and TLT. */
const tickersSent = async () =>
  (await world.stage.ordersTaken())
    .toReversed()
    .slice(2)
    .map(({ side, ticker }) => `${side} ${ticker}`)
const successors = async () =>
  (await deploymentOf(world, deployment.id)).strategy.successors?.map(({ from, to }) => `${from} ${to}`)
const undecided = async () =>
  (await viewDeployment(world.deps, world.userId, deployment.id)).tickerChanges.map(({ from, to }) => `${from} ${to}`)

describe('a holding that became another ticker', () => {
  it('is kept, and nothing is traded until the user chooses, not even what the strategy names besides', async () => {
    await renamed()
    world.quotes.set('TLT', Decimal.parse('120'))
    // Booked and due in the same poll.
    world.toDecision()
    await settle(world, runner, 6)
    await nextRun()
    expect(await tickersSent()).toEqual([])
    expect(await sliceOf(world, deployment.id)).toEqual(UNCHANGED)
    expect(await undecided()).toEqual(['SPY AAPL'])
    expect((await deploymentOf(world, deployment.id)).healthProblem).toMatchObject({
      code: 'deployment.ticker-change',
      level: 'error',
      sentence: expect.stringContaining('choose whether to trade AAPL in its place or to sell AAPL'),
    })
    expect((await mailsOf(world)).filter(({ event }) => event === 'errors')).toHaveLength(1)
    await expect(previewDecision(world.deps, world.userId, deployment.id)).rejects.toMatchObject({
      code: 'deployment.ticker-change',
    })
    await expectSound(world)
  })

  it('is traded in the place of the old ticker when that is chosen', async () => {
    await renamed()
    await nextRun()
    await choose('trade')
    expect(await healthOf(world, deployment.id)).toBeNull()
    world.quotes.set('AAPL', Decimal.parse('500'))
    await restart()
    expect(await tickersSent()).toEqual(['sell AAPL', 'buy TLT'])
    expect(await sliceOf(world, deployment.id)).toEqual(['0', '13.8 AAPL', '51.111111111 TLT'])
    const { settings, strategy } = await deploymentOf(world, deployment.id)
    expect(settings.tickerMapping).toEqual({ SPY: 'AAPL' })
    expect(strategy.successors).toEqual([
      { from: 'SPY', to: 'AAPL', day: dateOf('2026-03-03'), perShare: 1, cashPerShare: 0, isRename: true },
    ])
    expect((await activityOf(world, deployment.id)).join('\n')).toContain(
      'Signals and the replay use the prices of SPY until the change and those of AAPL since then.',
    )
    await expect(choose('sell')).rejects.toMatchObject({ kind: 'conflict', code: 'deployment.no-ticker-change' })
    await expectSound(world)
  })

  it('is sold by the next run when that is chosen, whatever the rebalancing schedule says', async () => {
    await renamed()
    await world.deps.database.deployments.change(deployment.id, {
      settings: settingsOf({ rebalanceFrequency: 'yearly' }),
    })
    await nextRun()
    await choose('sell')
    await restart()
    expect(await tickersSent()).toEqual(['sell AAPL', 'buy SPY'])
    expect(await undecided()).toEqual([])
    expect(await reasonOfDecision()).toBe('AAPL, which came in the place of SPY, is sold as Ada chose.')
    expect(await actorOf('Execution Complete')).toEqual(ADA)
    // What is decided later is the schedule's again.
    world.quotes.set('SPY', Decimal.parse('300'))
    await world.deps.database.deployments.change(deployment.id, {
      settings: settingsOf({ rebalanceFrequency: 'daily' }),
    })
    await nextRun()
    expect(await actorOf('Execution Complete')).toMatchObject({ kind: 'schedule' })
    await expectSound(world)
  })

  it('is sold even where the provider no longer has prices of the old ticker', async () => {
    await renamed()
    await nextRun()
    await choose('sell')
    world.signalService.failure = new Problem('upstream', 'data.missing', 'No provider has prices of SPY.')
    await restart()
    expect(await tickersSent()).toEqual(['sell AAPL'])
    expect(await sliceOf(world, deployment.id)).toEqual(['6000', '44.444444444 TLT'])
    expect((await activityOf(world, deployment.id)).join('\n')).toContain(
      'No provider has prices of SPY. So only what the strategy does not name is sold: AAPL. AAPL, which came in the place of SPY, is sold as Ada chose.',
    )
    expect(await actorOf('So only what the strategy')).toEqual(ADA)
    expect(await actorOf('Execution Complete')).toEqual(ADA)
    // Nothing is left to sell: the run after it says what is missing, and trades when it is there.
    await nextRun()
    expect(await healthOf(world, deployment.id)).toBe('No provider has prices of SPY.')
    world.signalService.failure = undefined
    await restart()
    expect(await tickersSent()).toEqual(['sell AAPL', 'buy SPY'])
    await expectSound(world)
  })

  it('is asked about once, whatever becomes of the new ticker in turn, and not when the broker takes it back', async () => {
    await renamed()
    await settle(world, runner, 2)
    world.quotes.set('MSFT', Decimal.parse('400'))
    world.clock.advance(24 * 3_600_000)
    const ids = rename('AAPL', 'MSFT', '15')
    await settle(world, runner, 2)
    expect(await undecided()).toEqual(['SPY MSFT'])
    for (const id of ids) account().change(id, { status: 'canceled' })
    account().move('MSFT', '-15')
    account().move('AAPL', '15')
    world.clock.advance(61_000)
    await settle(world, runner, 2)
    expect(await undecided()).toEqual(['SPY AAPL'])
    await choose('trade')
    // The broker takes it back after the choice: what the deployment holds is asked about again, not sold.
    world.clock.advance(24 * 3_600_000)
    rename('AAPL', 'SPY', '15')
    await settle(world, runner, 2)
    expect(await undecided()).toEqual(['AAPL SPY'])
    await choose('trade', { from: 'AAPL', to: 'SPY' })
    expect(await successors()).toEqual(['SPY AAPL', 'AAPL SPY'])
    await nextRun()
    expect(await tickersSent()).toEqual([])
    expect(await sliceOf(world, deployment.id)).toEqual(['0', '15 SPY', '44.444444444 TLT'])
    await expectSound(world)
  })

  it('is asked about where the figures of the broker were accepted, too', async () => {
    ;({ deployment, runner } = await invested(world))
    world.quotes.set('AAPL', Decimal.parse('400'))
    account().move('SPY', '-15')
    account().move('AAPL', '15')
    await acceptBroker(world.deps, world.userId, deployment.id)
    await nextRun()
    expect(await tickersSent()).toEqual([])
    expect(await sliceOf(world, deployment.id)).toEqual(UNCHANGED)
    expect(await undecided()).toEqual(['SPY AAPL'])
  })

  it('is settled by an edit of the mapping', async () => {
    await renamed()
    await settle(world, runner, 2)
    await controlDeployment(world.deps, world.userId, deployment.id, 'pause')
    const form = { name: 'Sixty forty live', strategyId: null, accountId: null }
    await editDeployment(world.deps, world.userId, deployment.id, { ...form, settings: settingsOf() })
    expect(await undecided()).toEqual(['SPY AAPL'])
    const settings = settingsOf({ tickerMapping: { SPY: 'AAPL' } })
    await editDeployment(world.deps, world.userId, deployment.id, { ...form, settings })
    expect(await undecided()).toEqual([])
    expect(await successors()).toEqual(['SPY AAPL'])
    // A further edit reads the strategy anew, and knows the successor, too.
    await editDeployment(world.deps, world.userId, deployment.id, { ...form, name: 'Renamed', settings })
    expect(await successors()).toEqual(['SPY AAPL'])
  })

  it('is the old ticker again where the broker takes the change back after the choice', async () => {
    ;({ deployment, runner } = await invested(world))
    world.quotes.set('AAPL', Decimal.parse('400'))
    world.clock.advance(61_000)
    const ids = rename('SPY', 'AAPL', '15')
    await settle(world, runner, 2)
    await choose('trade')
    for (const id of ids) account().change(id, { status: 'canceled' })
    account().move('AAPL', '-15')
    account().move('SPY', '15')
    world.clock.advance(61_000)
    await settle(world, runner, 2)
    await choose('trade', { from: 'AAPL', to: 'SPY' })
    expect(await successors()).toEqual([])
  })

  it('does not hold back the emergency stop, nor a stop that sells everything', async () => {
    await renamed()
    await nextRun()
    const deps = { ...world.deps, knownBroker: () => undefined, knownDeployments: () => [] }
    expect(await emergencyStop(deps, world.userId, undefined)).toMatchObject({ stopped: 1 })
    await controlDeployment(world.deps, world.userId, deployment.id, 'stop', { positions: 'sell' })
    await restart()
    expect(await sliceOf(world, deployment.id)).toEqual(['10000'])
    expect(await undecided()).toEqual([])
    await expectSound(world)
  })
})
