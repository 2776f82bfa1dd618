import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import type { AccountActivity, ActivityQuery } from '@tradewright/engine/trading/account-activity'
import type { Broker } from '@tradewright/engine/trading/broker'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { createTestUser } from '../../test-support/test-user.ts'
import { createAccountRows } from '../stores/brokerage/brokerage-accounts.ts'
import { createPortfolioStore } from '../stores/portfolio/portfolio.ts'
import { collectActivities } from './refresher.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const now = Date.parse('2026-03-04T16:00:00Z')
const PAGE = 10

const trade = (n: number): AccountActivity => ({
  kind: 'trade',
  id: `trade-${String(n).padStart(4, '0')}`,
  at: now - (1000 - n) * 60_000,
  ticker: 'SPY',
  side: 'buy',
  quantity: Decimal.parse('1'),
  price: Decimal.parse('400'),
  orderId: undefined,
})

const dividend = (id: string, daysAgo: number): AccountActivity => ({
  kind: 'cash',
  id,
  at: now,
  day: Math.floor(now / DAY) - daysAgo,
  type: 'DIV',
  netAmount: Decimal.parse('1.25'),
  description: '',
  ticker: 'SPY',
})

/** Tells activities by their ids, in pages, and may break off. */
class ToldBroker {
  readonly asked: ActivityQuery[] = []
  pagesLeft = Number.POSITIVE_INFINITY
  readonly told: AccountActivity[] = Array.from({ length: 45 }, (_, n) => trade(n))

  async activities(query: ActivityQuery) {
    this.asked.push(query)
    if (this.pagesLeft-- <= 0) throw new Problem('unavailable', 'broker.unavailable', 'No answer.')
    const kind = query.kind === 'trades' ? 'trade' : 'cash'
    const wanted = this.told
      .filter((one) => one.kind === kind && one.id > (query.page ?? ''))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const activities = wanted.slice(0, PAGE)
    return { activities, next: activities.at(-1)?.id }
  }
}

async function open() {
  const userId = await createTestUser(test.database, `collect-${Math.floor(performance.now() * 1000)}`)
  const account = {
    name: 'Main',
    broker: 'paper',
    isPaper: true,
    isDefault: true,
    sealedKeys: null,
    status: 'verified',
    reason: null,
    connectedAt: null,
  } as const
  const { id } = await createAccountRows(test.database).insert(userId, account, new Date(now))
  const store = createPortfolioStore(test.database)
  const told = new ToldBroker()
  const deps = { store, now: () => new Date(now), pause: () => Promise.resolve() }
  // Nothing else of a broker is asked for here.
  const collect = () => collectActivities(deps, id, told as unknown as Broker)
  return { id, store, told, collect }
}

it('goes on where a failure stopped it, and keeps each activity once', async () => {
  const { id, store, told, collect } = await open()
  told.pagesLeft = 2
  await expect(collect()).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await store.countActivities(id, 'trades')).toBe(20)
  expect(await store.progress(id, 'trades')).toEqual({ page: 'trade-0019', isComplete: false })
  told.pagesLeft = Number.POSITIVE_INFINITY
  told.asked.length = 0
  await collect()
  expect(told.asked[0]).toMatchObject({ kind: 'trades', page: 'trade-0019' })
  expect(await store.countActivities(id, 'trades')).toBe(45)
  expect((await store.progress(id, 'trades')).isComplete).toBe(true)
})

it('finds what came since, and stays complete when the next run fails', async () => {
  const { id, store, told, collect } = await open()
  await collect()
  told.told.push(trade(45), trade(46))
  told.asked.length = 0
  await collect()
  expect(told.asked.filter(({ kind, since }) => kind === 'trades' && since === undefined)).toHaveLength(2)
  expect(await store.countActivities(id, 'trades')).toBe(47)
  told.pagesLeft = 0
  await expect(collect()).rejects.toThrow('No answer.')
  expect((await store.progress(id, 'trades')).isComplete).toBe(true)
})

it('finds what was booked late for an earlier day', async () => {
  const { id, store, told, collect } = await open()
  told.told.push(dividend('b-newest', 1))
  await collect()
  told.told.push(dividend('a-late', 12))
  await collect()
  const found = await store.activities(id, 'cash', { offset: 0, limit: 10 })
  expect(found.map((one) => one.id)).toEqual(['b-newest', 'a-late'])
})

it('keeps what the broker corrected in the place of what it listed before, and nothing of what it took back', async () => {
  const { id, store, told, collect } = await open()
  told.told.push(dividend('a', 3), dividend('b', 2), dividend('c', 1))
  await collect()
  const corrected = (one: AccountActivity, more: object) => Object.assign({}, one, { state: 'corrected' }, more)
  const kept = told.told.filter(({ kind }) => kind === 'trade')
  told.told.splice(
    0,
    told.told.length,
    ...kept,
    corrected(dividend('a', 3), { netAmount: Decimal.parse('1.10') }),
    corrected(dividend('d', 2), { replaces: 'b', netAmount: Decimal.parse('1.20') }),
    corrected(dividend('c', 1), { state: 'canceled' }),
  )
  await collect()
  const found = await store.activities(id, 'cash', { offset: 0, limit: 10 })
  expect(found.map((one) => [one.id, one.kind === 'cash' && String(one.netAmount)])).toEqual([
    ['d', '1.2'],
    ['a', '1.1'],
  ])
})

it('leaves out what is listed beside its correction, in any order and on other pages', async () => {
  const { id, store, told, collect } = await open()
  const right = Object.assign({}, dividend('a-right', 3), { replaces: 'z-wrong', netAmount: Decimal.parse('1.30') })
  const wrong = dividend('z-wrong', 2)
  told.told.push(right, ...Array.from({ length: 30 }, (_, i) => dividend(`m${String(i).padStart(2, '0')}`, 2)), wrong)
  for (let i = 0; i < 2; i++) {
    await collect()
    const found = await store.activities(id, 'cash', { offset: 0, limit: 100 })
    expect(found.map((one) => one.id)).not.toContain('z-wrong')
    expect(found.find((one) => one.id === 'a-right')).toMatchObject({ netAmount: Decimal.parse('1.30') })
  }
})

it('leaves out an execution that the broker cancelled after it was stored, and takes its correction', async () => {
  const { id, store, told, collect } = await open()
  await collect()
  const changed = (n: number, more: object) => Object.assign({}, trade(n), more)
  told.told[3] = changed(3, { state: 'canceled', quantity: Decimal.zero })
  told.told[4] = changed(4, { state: 'corrected', price: Decimal.parse('399') })
  told.told.push(changed(45, { state: 'corrected', replaces: 'trade-0005', price: Decimal.parse('398') }))
  for (let i = 0; i < 2; i++) {
    await collect()
    const found = await store.activities(id, 'trades', { offset: 0, limit: 100 })
    expect(found).toHaveLength(44)
    const prices = new Map(found.map((one) => [one.id, one.kind === 'trade' && String(one.price)]))
    expect(['0003', '0004', '0005', '0045'].map((n) => prices.get(`trade-${n}`))).toEqual([
      undefined,
      '399',
      undefined,
      '398',
    ])
  }
})

it('keeps all parts of an event that share an id, with their group', async () => {
  const { id, store, told, collect } = await open()
  const part = (type: string, ticker: string, quantity: string, netAmount: string): AccountActivity =>
    Object.assign({}, dividend('option-1', 3), {
      type,
      ticker,
      quantity: Decimal.parse(quantity),
      netAmount: Decimal.parse(netAmount),
      group: 'group-1',
    })
  const parts = [
    part('OPEXC', 'SPY260320C00410000', '-1', '0'),
    part('OPTRD', 'SPY', '100', '-41000'),
    part('OPTRD', 'SPY', '1', '-410'),
  ]
  told.told.push(...parts, parts[1]!)
  const found = async () =>
    (await store.activities(id, 'cash', { offset: 0, limit: 10 }))
      .filter((one) => one.kind === 'cash')
      .map(({ type, quantity, group }) => `${type} ${String(quantity)} ${group}`)
      .sort()
  for (let i = 0; i < 2; i++) {
    await collect()
    expect(await found()).toEqual(['OPEXC -1 group-1', 'OPTRD 1 group-1', 'OPTRD 100 group-1'])
  }
  // One part is taken back: the others stay.
  told.told[told.told.indexOf(parts[2]!)] = Object.assign({}, parts[2], { state: 'canceled' })
  await collect()
  expect(await found()).toEqual(['OPEXC -1 group-1', 'OPTRD 100 group-1'])
})
