import { Decimal } from '@tradewright/core/decimal'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachInvestedAtAlpaca } from '../../../test-support/live/invested-at-alpaca.ts'
import { INVESTED, mailsOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, settle } from '../../../test-support/live/live-world.ts'
import { createAlertSettingsStore } from '../../stores/alerts/alerts.ts'
import { createAlertStore } from '../../stores/home/home.ts'
import { acceptBroker } from '../capital/accept-broker.ts'
import { controlDeployment } from '../control.ts'
import { deploymentOverview, problemsOf, viewDeployment } from '../views.ts'

const held = eachInvestedAtAlpaca()
beforeEach(() => held.hold())

const control = (action: 'pause' | 'stop', one = held.id) =>
  controlDeployment(held.world.deps, held.world.userId, one, action)
const overview = (one = held.id) => deploymentOverview(held.world.deps, held.world.userId, one)
const health = async (one = held.id) => {
  const { light, booksAgree, reasons } = (await overview(one)).health
  return { light, booksAgree, reasons }
}

async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    held.world.clock.advance(MINUTE)
    await settle(held.world, held.runner, 1)
  }
}

const LOST = 'The broker holds 14 SPY, but the books say 15.'
const IDLE = { light: 'idle', booksAgree: true, reasons: [] }

/** A position that changes at the broker, and no activity says why. */
const takeOne = () => held.account.move('SPY', '-1')

/** More money than is not allocated. */
const takeMoney = () => held.account.book('CSW', '-95000')

describe.each([
  ['a position', takeOne, LOST],
  ['cash', takeMoney, 'The cash at the broker is $5,000.00 short of what the deployments own.'],
] as const)('%s that changes at the broker', (_what, change, sentence) => {
  it.each(['stop', 'pause'] as const)('after a %s of all deployments of the account is found and told', async (how) => {
    await control(how)
    expect((await health()).light).toBe(how === 'stop' ? 'idle' : 'yellow')
    change()
    await pass(16)
    expect(await health()).toMatchObject({ light: 'red', booksAgree: false })
    expect((await health()).reasons[0]).toBe(sentence)
    expect(problemsOf(await viewDeployment(held.world.deps, held.world.userId, held.id))).toContain(sentence)
    const told = (lines: readonly string[]) => lines.filter((line) => line.includes(sentence))
    await pass(40)
    expect(told(await activityOf(held.world, held.id))).toHaveLength(1)
    expect(told((await mailsOf(held.world)).map(({ text }) => text))).toHaveLength(1)
    expect(
      told((await createAlertStore(held.world.database.database).blocked(held.world.userId)).map(({ text }) => text)),
    ).toEqual([sentence])
    const settings = createAlertSettingsStore(held.world.database.database)
    expect(await settings.troubles(held.world.userId, held.world.clock.now())).toEqual([
      'Sixty forty live: books and broker disagree.',
    ])
  })

  it('while one deployment is stopped and another runs makes both lights red within a minute', async () => {
    const other = await held.world.deployed({ name: 'The other' })
    await control('stop')
    change()
    await pass(2)
    for (const one of [held.id, other.id]) expect(await health(one)).toMatchObject({ light: 'red', booksAgree: false })
  })
})

describe('a stopped deployment', () => {
  it('is never green, and says when its books were last compared', async () => {
    await control('stop')
    const at = (await overview()).health.reconciledAt!
    expect(await health()).toEqual(IDLE)
    await held.runner.close()
    takeOne()
    // No process is left that compares.
    held.world.clock.advance(31 * MINUTE)
    expect((await overview()).health).toMatchObject({ light: 'yellow', booksAgree: true, reconciledAt: at })
    expect((await health()).reasons).toEqual([
      'The books were last compared with the broker at 2026-03-03 20:30 UTC. What happened there since is not known.',
    ])
  })

  it('that keeps its positions gets their dividends and their prices', async () => {
    await control('stop')
    held.world.quotes.set('SPY', Decimal.parse('410'))
    held.account.book('DIV', '15', undefined, { symbol: 'SPY', qty: '15', per_share_amount: '1' })
    await pass(16)
    expect(await sliceOf(held.world, held.id)).toEqual(['15', ...INVESTED.slice(1)])
    expect(String((await viewDeployment(held.world.deps, held.world.userId, held.id)).value.rounded(2))).toBe('10165')
    expect(await health()).toEqual(IDLE)
    await expectSound(held.world)
  })

  it('is asked for again when the broker could not be reached, and says so meanwhile', async () => {
    await control('stop')
    held.world.stage.isAway = true
    takeOne()
    await pass(32)
    expect(await health()).toMatchObject({ light: 'yellow' })
    held.world.stage.isAway = false
    await pass(16)
    expect(await health()).toMatchObject({ light: 'red', booksAgree: false })
  })

  it('is told once that all is well again', async () => {
    await control('stop')
    takeOne()
    await pass(16)
    await acceptBroker(held.world.deps, held.world.userId, held.id, true)
    expect(await health()).toEqual(IDLE)
    await pass(32)
    const lines = await activityOf(held.world, held.id)
    expect(lines.filter((line) => line === 'Broker and books agree again.')).toHaveLength(1)
    expect(lines).not.toContain('Trading as planned again.')
    expect(await health()).toEqual(IDLE)
  })

  it('costs one comparison in a quarter of an hour, however many processes there are', async () => {
    const others = [held.world.process().runner, held.world.process().runner]
    await control('stop')
    await settle(held.world, [held.runner, ...others], 2)
    const before = held.account.orders.length
    const calls = () => held.standIn.requests.filter(({ path }) => path === '/v2/positions').length
    const asked = calls()
    for (let minute = 0; minute < 60; minute++) {
      held.world.clock.advance(MINUTE)
      await settle(held.world, [held.runner, ...others], 1)
    }
    expect(calls() - asked).toBe(4)
    expect(held.account.orders).toHaveLength(before)
  })
})

describe('a running deployment', () => {
  it('is not green before the first comparison, nor when the last one is more than ten minutes old', async () => {
    expect(await health()).toEqual({ light: 'green', booksAgree: true, reasons: [] })
    held.world.clock.advance(9 * MINUTE)
    expect((await health()).light).toBe('green')
    held.world.clock.advance(MINUTE + SECOND)
    expect(await health()).toMatchObject({ light: 'yellow' })
    expect((await health()).reasons[0]).toContain('last compared with the broker')
    await settle(held.world, held.runner, 1)
    expect((await health()).light).toBe('green')
    await held.world.database.database
      .updateTable('account_books')
      .set({ compared_at: null })
      .where('account_id', '=', held.world.accountId)
      .execute()
    expect(await health()).toEqual({
      light: 'yellow',
      booksAgree: null,
      reasons: ['The books have not been compared with the broker yet.'],
    })
  })
})
