import { Decimal } from '@tradewright/core/decimal'
import { HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { asked, eachInvestedAtAlpaca } from '../../../test-support/live/invested-at-alpaca.ts'
import { INVESTED, sliceOf } from '../../../test-support/live/live-story.ts'
import { settingsOf, settle } from '../../../test-support/live/live-world.ts'

const held = eachInvestedAtAlpaca()
const decimal = (text: string) => Decimal.parse(text)

describe('a correction by the broker takes the place of what was booked', () => {
  it('of a dividend, in place or under another id', async () => {
    await held.hold()
    held.account.book('DIV', '10', '2026-03-03', { symbol: 'SPY', qty: '15', description: 'Dividend of SPY' })
    await held.poll()
    expect((await sliceOf(held.world, held.id))[0]).toBe('10')
    const { id } = held.account.activities.findLast(({ activity_type }) => activity_type === 'DIV')!
    held.account.change(id, { net_amount: '9', status: 'correct' })
    held.account.cash = held.account.cash.minus(decimal('1'))
    await held.poll()
    await held.poll()
    await held.expectAgreed(['9', ...INVESTED.slice(1)])
    expect(await held.told()).toContain('The broker corrected Dividend of SPY: $9.00 instead of $10.00.')
    held.account.cash = held.account.cash.minus(decimal('9'))
    held.account.book('DIV', '8.5', '2026-03-03', { symbol: 'SPY', status: 'correct', previous_id: id })
    await held.poll()
    await held.poll()
    await held.expectAgreed(['8.5', ...INVESTED.slice(1)])
  })

  it('of a dividend that is taken back weeks later, when its shares are sold', async () => {
    await held.hold()
    held.account.book('DIV', '10', '2026-03-03', { symbol: 'SPY', description: 'Dividend of SPY' })
    await held.poll()
    held.world.clock.advance(15 * 24 * HOUR)
    await held.poll()
    const { id } = held.account.activities.findLast(({ activity_type }) => activity_type === 'DIV')!
    held.account.change(id, { status: 'canceled' })
    held.account.cash = held.account.cash.minus(decimal('10'))
    held.world.clock.advance(24 * HOUR)
    await held.poll()
    await held.expectAgreed(INVESTED)
    expect(await held.told()).toContain('The broker took back Dividend of SPY: $10.00.')
  })

  const executionOf = (symbol: string) =>
    held.account.activities.findLast((one) => one.activity_type === 'FILL' && one['symbol'] === symbol)!
  const filledOf = async (ticker: string) => {
    const order = (await held.world.deps.database.orders.newest(held.id, 10)).find((one) => one.ticker === ticker)!
    return `${String(order.filledQuantity)} at ${String(order.averagePrice?.rounded(2) ?? 'n/a')}`
  }

  /** So many shares of the order of SPY count as filled; the rest of them and their money go back. */
  const fillOnly = (filled: string, shares: string, money: string) => {
    held.account.orders.find(({ symbol }) => symbol === 'SPY')!.filledQty = decimal(filled)
    held.account.move('SPY', shares)
    held.account.cash = held.account.cash.plus(decimal(money))
  }

  it('of a transfer of shares that never came about, although they show in the positions', async () => {
    await held.hold()
    const { world } = held
    const heldBeside = async () =>
      (await world.deps.database.books.books(world.accountId)).get('unallocated')?.positions
    for (const [status, shares] of [
      ['canceled', undefined],
      ['executed', '5'],
    ]) {
      held.account.positions.set('GLD', { qty: decimal('5'), cost: decimal('900') })
      held.account.book('JNLS', '0', '2026-03-03', { symbol: 'GLD', qty: '5', price: '180', status })
      await held.poll()
      expect((await heldBeside())?.get('GLD')?.toString()).toBe(shares)
    }
    expect(await sliceOf(world, held.id)).toEqual(INVESTED)
  })

  it('of an execution that is taken back', async () => {
    await held.hold()
    held.account.change(executionOf('SPY').id, { status: 'canceled' })
    fillOnly('0', '-15', '6000')
    await held.poll()
    await held.poll()
    await held.expectAgreed(['6000', '44.444444444 TLT'])
    const note = 'Bought 15 SPY at $400.00'
    expect(await held.ledgerOf('CORRECTION')).toEqual([`in 6000: Taken back by the broker: ${note}`])
    expect((await held.told()).split('The broker took back an execution, ')).toHaveLength(2)
    expect(await held.told()).toContain(
      'The broker took back an execution, 15 SPY bought at $400.00: $6,000.00 came back, and 15 SPY left.',
    )
    expect(await filledOf('SPY')).toBe('0 at n/a')
  })

  it('of executions that were booked from their order, one after the other', async () => {
    held.deployment = await held.world.deployed()
    held.runner = held.world.runner()
    Object.assign(held.world.stage, { hidesFills: true, holdsFills: true })
    held.world.toDecision()
    await settle(held.world, held.runner, 2)
    held.world.stage.fillPart('SPY', 0.4)
    held.world.stage.holdsFills = false
    held.world.stage.trade()
    await settle(held.world, held.runner, 2)
    held.world.clock.advance(5 * 60_000)
    await settle(held.world, held.runner, 3)
    expect(await held.told()).toContain('15 SPY bought at $400.00, booked from the order')
    const executions = held.account.activities.filter((one) => one.activity_type === 'FILL' && one['symbol'] === 'SPY')
    expect(executions.map((one) => one['qty'])).toEqual(['6', '9'])
    held.world.stage.hidesFills = false
    await held.poll()
    await held.expectAgreed(INVESTED)
    held.account.change(executions[0]!.id, { status: 'canceled' })
    fillOnly('9', '-6', '2400')
    await held.poll()
    await held.poll()
    await held.expectAgreed(['2400', '44.444444444 TLT', '9 SPY'])
    expect(await filledOf('SPY')).toBe('9 at 400')
    expect(await held.told()).toContain(
      'The broker took back an execution, 6 SPY bought at $400.00: $2,400.00 came back, and 6 SPY left.',
    )
    held.account.change(executions[1]!.id, { status: 'canceled' })
    fillOnly('0', '-9', '3600')
    await held.poll()
    await held.poll()
    await held.expectAgreed(['6000', '44.444444444 TLT'])
    expect(await filledOf('SPY')).toBe('0 at n/a')
  })

  it('of an execution that was booked from its order: at another price, and of fewer shares', async () => {
    held.deployment = await held.world.deployed()
    held.runner = held.world.runner()
    Object.assign(held.world.stage, { hidesFills: true, holdsFills: true })
    held.world.toDecision()
    await settle(held.world, held.runner, 2)
    held.world.stage.fillPart('SPY', 0.4)
    held.world.stage.holdsFills = false
    held.world.stage.trade()
    await settle(held.world, held.runner, 2)
    held.world.clock.advance(5 * 60_000)
    await settle(held.world, held.runner, 3)
    const settings = settingsOf({ rebalanceFrequency: 'none', rebalanceThresholdPct: 50 })
    await held.world.deps.database.deployments.change(held.id, { settings })
    const executions = held.account.activities.filter((one) => one.activity_type === 'FILL' && one['symbol'] === 'SPY')
    held.account.change(executions[0]!.id, { status: 'correct', price: '399.9' })
    fillOnly('15', '0', '0.6')
    held.world.stage.hidesFills = false
    await held.poll()
    await held.poll()
    await held.expectAgreed(['0.6', ...INVESTED.slice(1)])
    expect(await held.told()).toContain(
      'The broker corrected an execution: 15 SPY bought at $399.96 instead of 15 at $400.00.',
    )
    expect(await filledOf('SPY')).toBe('15 at 399.96')
    const { id, ...second } = executions[1]!
    held.account.load([{ ...second, id: `${id}9`, status: 'correct', previous_id: id, qty: '8' }])
    fillOnly('14', '-1', '400')
    await held.poll()
    await held.poll()
    await held.expectAgreed(['400.6', '14 SPY', '44.444444444 TLT'])
    expect(await filledOf('SPY')).toBe('14 at 399.96')
    held.account.change(executions[0]!.id, { status: 'canceled' })
    fillOnly('8', '-6', '2399.4')
    await held.poll()
    await held.poll()
    await held.expectAgreed(['2800', '44.444444444 TLT', '8 SPY'])
  })

  it('of an execution at another price, in place or under another id, weeks later', async () => {
    await held.hold()
    const settings = settingsOf({ rebalanceFrequency: 'none', rebalanceThresholdPct: 50 })
    await held.world.deps.database.deployments.change(held.id, { settings })
    const { id, ...execution } = executionOf('SPY')
    held.account.change(id, { status: 'correct', price: '399.99' })
    fillOnly('15', '0', '0.15')
    await held.poll()
    await held.poll()
    await held.expectAgreed(['0.15', ...INVESTED.slice(1)])
    expect(await held.ledgerOf('CORRECTION')).toEqual(['in 6000: Taken back by the broker: Bought 15 SPY at $400.00'])
    expect(await held.ledgerOf('TRADE_BUY')).toContain('out 5999.85: Bought 15 SPY at $399.99')
    expect(await held.told()).toContain(
      'The broker corrected an execution: 15 SPY bought at $399.99 instead of 15 at $400.00.',
    )
    expect(await filledOf('SPY')).toBe('15 at 399.99')
    held.world.clock.advance(15 * 24 * HOUR)
    await held.poll()
    held.account.load([{ ...execution, id: `${id}9`, status: 'correct', previous_id: id, qty: '14', price: '399.99' }])
    fillOnly('14', '-1', '399.99')
    held.world.clock.advance(24 * HOUR)
    await held.poll()
    await held.expectAgreed(['400.14', '14 SPY', '44.444444444 TLT'])
    expect(await filledOf('SPY')).toBe('14 at 399.99')
    held.account.change(`${id}9`, { status: 'canceled' })
    fillOnly('0', '-14', '5599.86')
    held.world.clock.advance(24 * HOUR)
    await held.poll()
    await held.expectAgreed(['6000', '44.444444444 TLT'])
  })

  it('of a trade by hand, which stays the account’s own', async () => {
    await held.hold()
    await held.world.stage.tradeByHand('buy', 'SPY', '5')
    await held.poll()
    held.account.change(executionOf('SPY').id, { status: 'canceled' })
    held.account.move('SPY', '-5')
    held.account.cash = held.account.cash.plus(decimal('2000'))
    await held.poll()
    await held.expectAgreed(INVESTED)
    expect(await held.unallocated('SPY')).toBe('0')
  })

  it('of a merger: other shares, booked once', async () => {
    await held.hold()
    held.world.quotes.set('AAPL', decimal('400'))
    const ids = held.account.act(
      [
        { type: 'MA', symbol: 'SPY', qty: '-15' },
        { type: 'MA', symbol: 'AAPL', qty: '15' },
      ],
      'group-7',
    )
    await held.poll()
    held.account.move('AAPL', '-1')
    held.account.change(ids[1]!, { qty: '14', status: 'correct' })
    await held.poll()
    await held.poll()
    await held.expectAgreed(['0', '14 AAPL', '44.444444444 TLT'], asked('Merger: 15 SPY became 15 AAPL.'))
    expect(await held.ledgerOf('CORRECTION')).toEqual([
      'none 6000: Taken back by the broker: Merger: 15 SPY became 15 AAPL.',
    ])
    for (const id of ids) held.account.change(id, { status: 'canceled' })
    held.account.move('AAPL', '-14')
    held.account.move('SPY', '15')
    await held.poll()
    await held.expectAgreed(INVESTED)
  })
})
