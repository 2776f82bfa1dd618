import { Decimal } from '@tradewright/core/decimal'
import type { Note } from '@tradewright/core/note'
import { DAY, HOUR, MINUTE } from '@tradewright/core/time'
import { heldSentence } from '@tradewright/engine/live/held-orders'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type LiveWorld, liveWorld, settle } from '../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { createAlertInbox, createAlertSettingsStore, createChannelStore } from '../stores/alerts/alerts.ts'
import { SYSTEM } from '../live-trading/actor.ts'
import { LiveRunner } from '../live-trading/cycle/runner.ts'
import { setHealth } from '../live-trading/cycle/record-note.ts'
import type { Deployment } from '../live-trading/deployment.ts'
import type { LiveDeps } from '../live-trading/deps.ts'
import { inWords } from './alert-events.ts'
import { acknowledge, Alerts, ownInbox } from './raise-alerts.ts'

let database: TestDatabase
let world: LiveWorld
let alerts: Alerts
let deps: LiveDeps
let isDiskLow = false

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  world = await liveWorld({ database })
  const { clock, log, database: stores } = world.deps
  alerts = new Alerts({
    server: { name: 'This server', isDiskLow: () => isDiskLow },
    alerts: createAlertInbox(database.database),
    settings: createAlertSettingsStore(database.database),
    messages: stores.messages,
    clock,
    log,
  })
  deps = { ...world.deps, alert: alerts.raise }
})
afterEach(async () => {
  await database.database.deleteFrom('alerts').execute()
  await world.close()
})

const inbox = () => ownInbox(createAlertInbox(database.database), world.userId)

const channel = (name: string, escalationMinutes = 0) =>
  createChannelStore(database.database).insert(
    world.userId,
    { kind: 'webhook', name, target: name, isEnabled: true, quietHours: null, events: [], escalationMinutes },
    { at: new Date(), seal: () => Buffer.from(name), most: 20 },
  )

/** What was told since the last time, as `channel: subject`. */
async function told(): Promise<string[]> {
  await alerts.save()
  const rows = await database.database
    .deleteFrom('deployment_messages')
    .where('channel_id', 'is not', null)
    .returning(['id', 'recipient', 'subject'])
    .execute()
  return rows.toSorted((a, b) => a.id - b.id).map(({ recipient, subject }) => `${recipient}: ${subject}`)
}

const texts = async () => {
  await alerts.save()
  const rows = await database.database
    .deleteFrom('deployment_messages')
    .where('channel_id', 'is not', null)
    .returning('body')
    .execute()
  return rows.map(({ body }) => body)
}

const stale: Note = { code: 'deployment.stale-data', level: 'error', sentence: 'SPY has no bar of 2 March.' }
const away: Note = { code: 'account.unusable', level: 'error', sentence: 'Alpaca could not be reached.' }

async function three(): Promise<Deployment[]> {
  const made: Deployment[] = []
  for (const name of ['One', 'Two', 'Three']) made.push(await world.deployed({ name }))
  return made
}

it('makes one alert of what has one cause, with its deployments', async () => {
  await channel('phone')
  const [one, two, third] = await three()
  await setHealth(deps, one!, away)
  await setHealth(deps, two!, away)
  const [text] = await texts()
  expect(text).toContain('Alpaca could not be reached.\n- One, Paper (paper money)\n- Two, Paper (paper money)\n')
  // One that comes later is told with the others that come within half a minute.
  await setHealth(deps, third!, away)
  expect(await told()).toEqual([])
  world.clock.advance(MINUTE)
  expect(await told()).toEqual(['phone: 3 deployments: still other problem'])
  expect(await inbox()).toHaveLength(1)
})

it('tells the operator of a disk that is nearly full, and when it has room again', async () => {
  await channel('phone')
  isDiskLow = true
  await alerts.raiseDiskLow(world.userId, 'The disk is nearly full: 40 MB are free.')
  expect(await texts()).toEqual([expect.stringMatching(/^The disk is nearly full: 40 MB are free\.\n\nTold again/)])
  await alerts.raiseDiskLow(world.userId, 'The disk is nearly full: 39 MB are free.')
  expect(await told()).toEqual([])
  expect((await inbox()).map(({ kind, endedAt }) => [kind, endedAt])).toEqual([['disk_low', null]])
  isDiskLow = false
  expect(await told()).toEqual(['phone: This server: recovered from disk nearly full'])
  expect((await inbox())[0]!.endedAt).not.toBeNull()
})

it('is told again until it is acknowledged, and its end is told', async () => {
  await channel('phone')
  const deployment = await world.deployed({ name: 'One' })
  await setHealth(deps, deployment, { ...stale, code: 'deployment.ticker-change' })
  expect(await told()).toEqual(['phone: One: ticker change'])
  world.clock.advance(59 * MINUTE)
  expect(await told()).toEqual([])
  world.clock.advance(MINUTE)
  expect(await told()).toEqual(['phone: One: still ticker change'])
  world.clock.advance(4 * HOUR)
  expect(await told()).toEqual(['phone: One: still ticker change'])
  const [row] = await inbox()
  const by = { userId: world.userId, by: 'ann' }
  await acknowledge({ alerts: createAlertInbox(database.database), clock: world.clock }, by, row!.id)
  world.clock.advance(DAY)
  expect(await told()).toEqual([])
  await setHealth(deps, deployment, null)
  expect(await told()).toEqual(['phone: One: recovered from ticker change'])
  world.clock.advance(DAY)
  expect(await told()).toEqual([])
  expect(await inbox()).toMatchObject([{ acknowledgedBy: 'ann', endedAt: expect.any(Date) }])
})

it('about an order that is held is over with the answer of its user, and not before', async () => {
  await channel('phone')
  const { id, ...deployment } = await world.deployed({ name: 'One' })
  const held = { side: 'buy', why: 'canceled', reason: '', at: 0, tries: 1, until: null } as const
  const [spy, spyg] = ['SPY', 'SPYG'].map((ticker) => Object.assign({ ticker }, held))
  await deps.database.deployments.change(id, { heldOrders: [spy!, spyg!] })
  await deps.alert!({ ...deployment, id }, { code: 'order-held', level: 'error', sentence: heldSentence(spy!) }, SYSTEM)
  expect(await told()).toEqual(['phone: One: held order'])
  world.clock.advance(MINUTE)
  expect(await told()).toEqual([])
  await deps.database.deployments.change(id, { heldOrders: [spyg!, { ...spy!, isLeft: true }] })
  world.clock.advance(MINUTE)
  expect(await told()).toEqual(['phone: One: recovered from held order'])
})

it('is over for each deployment by itself, and for all when the last one is', async () => {
  await channel('phone')
  const [one, two] = await three()
  for (const deployment of [one!, two!]) await setHealth(deps, deployment, stale)
  await told()
  await setHealth(deps, one!, null)
  expect(await told()).toEqual([])
  expect((await inbox())[0]!.members.map(({ name, endedAt }) => [name, endedAt !== null])).toEqual([
    ['One', true],
    ['Two', false],
  ])
  await setHealth(deps, two!, null)
  expect(await told()).toEqual(['phone: 2 deployments: recovered from other problem'])
})

it('goes on to further channels when it was not acknowledged for a while', async () => {
  await channel('phone')
  await channel('partner', 45)
  const deployment = await world.deployed({ name: 'One' })
  await setHealth(deps, deployment, { ...stale, code: 'deployment.ticker-change' })
  expect(await told()).toEqual(['phone: One: ticker change'])
  world.clock.advance(45 * MINUTE)
  expect(await told()).toEqual(['partner: One: still ticker change'])
  expect(await told()).toEqual([])
  world.clock.advance(15 * MINUTE)
  expect(await told()).toEqual(['phone: One: still ticker change', 'partner: One: still ticker change'])
  await setHealth(deps, deployment, null)
  expect((await told()).map((line) => line.split(':')[0])).toEqual(['phone', 'partner'])
})

it('tells an event once, and a user who was told nothing has it in the inbox', async () => {
  const deployment = await world.deployed({ name: 'One' })
  await alerts.raise(deployment, { code: 'control.stop', level: 'info', sentence: 'Stopped.' }, SYSTEM)
  expect(await told()).toEqual([])
  expect(await inbox()).toMatchObject([{ kind: 'stopped', told: 1, endedAt: expect.any(Date), acknowledgedAt: null }])
})

it('says first after an outage how long it was, what was missed and what changed in value', async () => {
  await channel('phone')
  await world.deployed({ name: 'One' })
  const first = world.runner()
  world.toDecision()
  await settle(world, first, 4)
  await first.close()
  world.clock.advance(6 * DAY + 19 * HOUR)
  world.quotes.set('SPY', Decimal.parse('360'))
  const second = new LiveRunner({ ...deps, holder: randomUUID() }, { leaseSeconds: 3_600 })
  await settle(world, second, 2)
  const [text, ...others] = await texts()
  expect(text).toMatch(
    /^Not watched for 6 d 19 h, since 2026-03-03 20:30 UTC\. 4 runs were missed\. Its value went from \$10,000\.00 to \$9,400\.00 \(−6\.0%\)\./,
  )
  expect(others).toEqual([])
  await settle(world, second, 2)
  expect(await told()).toEqual([])
})

it('writes times as people say them', () => {
  expect([30_000, 28 * MINUTE, 3 * HOUR + 5 * MINUTE, 6 * DAY + 19 * HOUR + 1, 2 * DAY].map(inWords)).toEqual([
    'less than a minute',
    '28 min',
    '3 h 5 min',
    '6 d 19 h',
    '2 d',
  ])
})
