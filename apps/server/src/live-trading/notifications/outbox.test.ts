import { HOUR } from '@tradewright/core/time'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { sliceOf, INVESTED } from '../../../test-support/live/live-story.ts'
import { type LiveWorld, liveWorld, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import type { Deployment } from '../deployment.ts'
import { Outbox } from './outbox.ts'
import { AddressRefused, type Mail, Notifications } from './notifications.ts'

let database: TestDatabase
let world: LiveWorld
let deployment: Deployment
let delivered: Mail[]
let failure: Error | undefined

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  world = await liveWorld({ database })
  delivered = []
  failure = undefined
  const notifications = {
    isEnabled: true,
    emails: ['ann@example.com', 'bob@example.com'],
    events: { trades: true, errors: true, signals: false, daily_summary: true },
  }
  deployment = await world.deployed({ settings: settingsOf({ notifications }) })
})
afterEach(async () => {
  await database.database.deleteFrom('deployment_messages').execute()
  await world.close()
})
afterAll(() => database.close())

const mailer = {
  isConfigured: true,
  from: 'tradewright@example.com',
  send: async (mail: Mail) => {
    if (failure) throw failure
    delivered.push(mail)
  },
  sendTest: () => Promise.resolve(),
  close: () => {},
}

function carrier(): Outbox {
  const { database: stores, clock, log } = world.deps
  return new Outbox({ messages: stores.messages, deliver: mailer.send, clock, log, save: () => Promise.resolve() })
}

const tell = (event: 'trades' | 'errors' | 'signals', key: string) =>
  world.deps.putMail(world.deps.database, deployment, event, { subject: 'Momentum', text: 'Buy SPY: filled', key })

const states = async () =>
  (await database.database.selectFrom('deployment_messages').select(['state', 'attempts']).orderBy('id').execute()).map(
    ({ state, attempts }) => `${state} ${attempts}`,
  )

/** Mails that wait for a retry become due. */
const passPauses = () => sql`UPDATE deployment_messages SET due_at = clock_timestamp()`.execute(database.database)

it('brings one message to each address, once [LIVE-206]', async () => {
  await tell('trades', 'trades:1')
  await tell('trades', 'trades:1')
  await tell('signals', 'signal:1')
  await carrier().poll()
  await carrier().poll()
  expect(delivered.map(({ to }) => to).sort()).toEqual(['ann@example.com', 'bob@example.com'])
  expect(delivered[0]).toMatchObject({ subject: 'Momentum', event: 'trades' })
  expect(delivered[0]!.text).toBe('Buy SPY: filled\n\nAccount: Paper (paper)\n')
  expect(await states()).toEqual(['sent 1', 'sent 1'])
})

it('tells an error of many words, which no index would take, once an hour', async () => {
  const sentence = Array.from({ length: 500 }, (_, i) => createHash('sha256').update(String(i)).digest('hex')).join(' ')
  await tell('errors', `error:${sentence}`)
  await tell('errors', `error:${sentence}`)
  expect(await states()).toHaveLength(2)
})

it('tells the same error once an hour', async () => {
  await tell('errors', 'error:No data')
  world.clock.advance(HOUR / 2)
  await tell('errors', 'error:No data')
  expect(await states()).toHaveLength(2)
  world.clock.advance(HOUR / 2)
  await tell('errors', 'error:No data')
  expect(await states()).toHaveLength(4)
})

it('is tried again after a pause, however the process ended, and given up when it is of no use', async () => {
  failure = new Error('connect ECONNREFUSED')
  await tell('trades', 'trades:1')
  await carrier().poll()
  expect(await states()).toEqual(['waiting 1', 'waiting 1'])
  await passPauses()
  failure = undefined
  // Another process, since the first one died.
  await carrier().poll()
  expect(delivered).toHaveLength(2)
  failure = new AddressRefused('no such user')
  await tell('trades', 'trades:2')
  await carrier().poll()
  expect((await states()).slice(2)).toEqual(['given_up 1', 'given_up 1'])
})

it('is given up after many tries', async () => {
  failure = new Error('connect ECONNREFUSED')
  await tell('trades', 'trades:1')
  for (let attempt = 0; attempt < 12; attempt++) {
    await carrier().poll()
    await passPauses()
  }
  expect(await states()).toEqual(['given_up 9', 'given_up 9'])
})

it('is carried by one of several processes', async () => {
  for (let i = 0; i < 30; i++) await tell('trades', `trades:${i}`)
  await Promise.all([carrier().poll(), carrier().poll(), carrier().poll()])
  expect(delivered).toHaveLength(60)
})

it('waits in memory while the database is away', async () => {
  const { clock, log, database: stores } = world.deps
  let isAway = true
  const put: typeof stores.messages.put = (...mails) =>
    isAway ? Promise.reject(new Error('away')) : stores.messages.put(...mails)
  const notifications = new Notifications({ messages: { ...stores.messages, put }, mailer, clock, log })
  await notifications.notify(deployment, 'trades', { subject: 's', text: 't', key: 'trades:9' })
  expect(await states()).toEqual([])
  isAway = false
  await notifications.save()
  expect(await states()).toHaveLength(2)
})

it('never stops trading, whatever the mail server does', async () => {
  failure = new Error('connect ECONNREFUSED')
  const runner = world.runner()
  world.toDecision()
  for (let beat = 0; beat < 4; beat++) {
    await settle(world, runner, 1)
    await carrier().poll()
  }
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  expect((await states()).every((state) => state.startsWith('waiting'))).toBe(true)
})
