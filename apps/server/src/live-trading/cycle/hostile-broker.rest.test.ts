import { Decimal } from '@tradewright/core/decimal'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachInvestedAtAlpaca } from '../../../test-support/live/invested-at-alpaca.ts'
import { healthOf, INVESTED, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound } from '../../../test-support/live/live-world.ts'
import { deploymentOverview } from '../views.ts'

const held = eachInvestedAtAlpaca()
beforeEach(() => held.hold())

const AT = '2026-03-03T20:40:00Z'
const fill = (more: object) => ({
  id: '20260303204000000::hostile',
  activity_type: 'FILL',
  transaction_time: AT,
  symbol: 'SPY',
  side: 'buy',
  qty: '1',
  price: '400',
  order_id: held.standIn.account.orders[0]!.id,
  ...more,
})
const cash = (more: object) => ({
  id: '20260303000000000::hostile',
  activity_type: 'DIV',
  date: '2026-03-03',
  symbol: 'SPY',
  net_amount: '0',
  status: 'executed',
  ...more,
})

/** Each beside the account as it is: nothing of them happened. */
const lies: readonly [string, () => object][] = [
  ['an execution of NaN shares', () => fill({ qty: 'NaN' })],
  ['an execution without shares', () => fill({ qty: null })],
  ['an execution at a negative price', () => fill({ price: '-400' })],
  ['an execution of more shares than there are', () => fill({ qty: '9'.repeat(60) })],
  ['an execution of 1e400 shares', () => fill({ qty: '1e400' })],
  ['an execution before all time', () => fill({ transaction_time: '-271821-04-20T00:00:00Z' })],
  ['an execution at no time', () => fill({ transaction_time: 'soon' })],
  ['an execution without a symbol', () => fill({ symbol: '' })],
  ['an execution whose id the database does not take', () => fill({ id: '20260303\0' })],
  ['an execution of a symbol that the database does not take', () => fill({ symbol: 'SP\0Y\ud800' })],
  ['a dividend of Infinity', () => cash({ net_amount: 'Infinity' })],
  ['a dividend on a day that there is not', () => cash({ id: 'x', date: '2026-02-31', created_at: null })],
  ['a dividend before all time', () => cash({ created_at: '-271821-04-20T00:00:00Z' })],
  ['an activity with an id alone', () => ({ id: '20260303000000000::alone' })],
  ['null', () => null as unknown as object],
  ['a list in a list', () => [[[]]]],
]

describe('what a broker sends beside the truth', () => {
  it.each(lies)('%s is left out, and trading goes on', async (_, lie) => {
    const { account, quirks } = held.standIn
    // The same lie three times, as a list does that repeats itself.
    quirks.strangeElements.set('/v2/account/activities', [lie(), lie(), lie()])
    await held.poll()
    expect(await sliceOf(held.world, held.id)).toEqual(INVESTED)
    expect(await healthOf(held.world, held.id)).toBeNull()
    expect((await deploymentOverview(held.world.deps, held.world.userId, held.id)).health).toMatchObject({
      light: 'green',
      booksAgree: true,
    })
    await expectSound(held.world)
    expect(account.orders).toHaveLength(2)
  })

  it('words that the database does not take are written without them', async () => {
    const { account } = held.standIn
    account.book('DIV', '10', '2026-03-03', {
      symbol: 'SPY',
      description: `Dividend\0 of \ud800SPY ${'!'.repeat(5_000)}`,
    })
    await held.poll()
    expect((await sliceOf(held.world, held.id))[0]).toBe('10')
    const { entries } = await held.world.deps.database.books.page(held.id, 1, 5, {
      types: ['DIVIDEND'],
      search: undefined,
    })
    expect(entries[0]!.note).toMatch(/^Dividend {2}of \ufffdSPY !+$/)
    expect(entries[0]!.note!.length).toBeLessThanOrEqual(500)
    await expectSound(held.world)
  })

  it('a position that cannot be read is a difference that is told, and its deployment trades nothing', async () => {
    const { account, quirks } = held.standIn
    const position = account.positions.get('SPY')!
    account.positions.delete('SPY')
    quirks.strangeElements.set('/v2/positions', [{ symbol: 'SPY', qty: 'NaN' }])
    await held.poll()
    expect(await healthOf(held.world, held.id)).toContain('The broker holds 0 SPY, but the books say 15.')
    expect(await sliceOf(held.world, held.id)).toEqual(INVESTED)
    account.positions.set('SPY', position)
    quirks.strangeElements.clear()
    await held.poll()
    expect(await healthOf(held.world, held.id)).toBeNull()
    await expectSound(held.world)
  })

  it('an account without cash or worth stops its deployments with a sentence, until it has some', async () => {
    const broker = held.standIn
    const { cash: before } = broker.account
    Object.assign(broker.account, { cash: { toString: () => 'NaN', plus: () => before, minus: () => before } })
    await held.poll()
    expect(await healthOf(held.world, held.id)).toMatch(/The brokerage account cannot be used: Alpaca did not report/)
    broker.account.cash = before
    held.world.clock.advance(21_000)
    await held.poll()
    expect(await healthOf(held.world, held.id)).toBeNull()
    expect(await sliceOf(held.world, held.id)).toEqual(INVESTED)
  })

  it('a correction that is listed before what it corrects is booked once', async () => {
    const { account } = held.standIn
    account.cash = account.cash.plus(Decimal.parse('9'))
    account.load([
      cash({ id: '20260303000000000::b', net_amount: '9', status: 'correct', previous_id: '20260303000000000::c' }),
      cash({ id: '20260303000000000::c', net_amount: '10' }),
    ] as Parameters<typeof account.load>[0])
    await held.poll()
    await held.poll()
    expect((await sliceOf(held.world, held.id))[0]).toBe('9')
    expect(await healthOf(held.world, held.id)).toBeNull()
    expect((await activityOf(held.world, held.id)).join('\n')).not.toContain('disagree')
    await expectSound(held.world)
  })
})
