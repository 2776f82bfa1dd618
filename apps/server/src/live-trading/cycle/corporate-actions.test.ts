import { Decimal } from '@tradewright/core/decimal'
import { epochDayOf, HOUR } from '@tradewright/core/time'
import type { ListedAction } from '@tradewright/engine/market/listed-actions'
import { sliceOf as sliceOfParty } from '@tradewright/engine/trading/ledger/books'
import { describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { healthOf, invested, INVESTED, mailsOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import type { Deployment } from '../deployment.ts'
import { deploymentOverview } from '../views.ts'
import type { LiveRunner } from './runner.ts'

let world: LiveWorld
eachInAWorld(
  (opened) => {
    world = opened
  },
  { stage: alpacaStage },
)

const account = () => (world.stage as AlpacaStage).standIn.account
const decimal = (text: string) => Decimal.parse(text)

let deployment: Deployment
let runner: LiveRunner

const asked = (sentence: string, to = 'AAPL') =>
  `${sentence} The strategy trades SPY: choose whether to trade ${to} in its place or to sell ${to}. ` +
  'What it holds is kept, and nothing is traded until then.'

/** Deployed with 15 SPY and 44.444444444 TLT, while the market is open. */
async function hold(): Promise<void> {
  ;({ deployment, runner } = await invested(world))
  world.clock.advance(1_000)
}

async function poll(): Promise<void> {
  world.clock.advance(61_000)
  await settle(world, runner, 2)
}

const told = async () => (await activityOf(world, deployment.id)).join('\n')

const ledgerOf = async (type: string) => {
  const { entries } = await world.deps.database.books.page(deployment.id, 1, 50, {
    types: undefined,
    search: undefined,
  })
  return entries
    .filter((entry) => entry.type === type)
    .map(({ direction, amount, note }) => `${direction} ${String(amount.rounded(2))}: ${note ?? ''}`)
}

const unallocated = async (ticker: string) => {
  const books = await world.deps.database.books.books(world.accountId)
  return String(sliceOfParty(books, 'unallocated').positions.get(ticker) ?? Decimal.zero)
}

async function expectAgreed(slice: readonly string[], health: string | null = null): Promise<void> {
  expect(await sliceOf(world, deployment.id)).toEqual(slice)
  expect(await healthOf(world, deployment.id)).toBe(health)
  expect((await deploymentOverview(world.deps, world.userId, deployment.id)).health).toMatchObject({ booksAgree: true })
  await expectSound(world)
}

describe('a corporate action that the broker lists is booked for the deployment that held the shares', () => {
  it('a split, as the removal of the old shares and the arrival of the new ones', async () => {
    await hold()
    world.quotes.set('SPY', decimal('100'))
    account().act([
      { type: 'SPLIT', symbol: 'SPY', qty: '-15', description: 'REMOVE, From QTY:-15, To QTY:60, Position Value:6000' },
      { type: 'SPLIT', symbol: 'SPY', qty: '60', description: 'ADD, From QTY:-15, To QTY:60, Position Value:6000' },
    ])
    await poll()
    await expectAgreed(['0', '44.444444444 TLT', '60 SPY'])
    expect(await told()).toContain('Split of SPY: 15 shares became 60.')
    expect(await ledgerOf('SPLIT')).toEqual(['in 0: Split of SPY: 15 shares became 60.'])
  })

  it.each([
    ['4', 'as the market data have it', false],
    ['2', 'which the market data contradict', true],
  ])('a split of 4 for 1 where the data say %s for 1, %s', async (ratio, _, isTold) => {
    await hold()
    world.quotes.set('SPY', decimal('100'))
    world.signalService.splitsOf = { SPY: [ratio] }
    account().act([
      { type: 'SPLIT', symbol: 'SPY', qty: '-15' },
      { type: 'SPLIT', symbol: 'SPY', qty: '60' },
    ])
    await poll()
    await poll()
    // The broker's shares count either way.
    await expectAgreed(['0', '44.444444444 TLT', '60 SPY'])
    const sentence = 'The broker made 60 of 15 SPY in a split, but the market data say 2 for 1.'
    expect((await told()).split(sentence)).toHaveLength(isTold ? 2 : 1)
    expect((await mailsOf(world)).filter(({ event }) => event === 'errors')).toHaveLength(isTold ? 1 : 0)
  })

  it('a split in proportion, where the account holds some of the shares itself', async () => {
    await hold()
    await world.stage.tradeByHand('buy', 'SPY', '5')
    await poll()
    world.quotes.set('SPY', decimal('4000'))
    account().act([
      { type: 'SPLIT', symbol: 'SPY', qty: '-20' },
      { type: 'SPLIT', symbol: 'SPY', qty: '2' },
    ])
    await poll()
    await expectAgreed(['0', '1.5 SPY', '44.444444444 TLT'])
    expect(await unallocated('SPY')).toBe('0.5')
  })

  it('a merger for shares and money', async () => {
    await hold()
    world.quotes.set('AAPL', decimal('250'))
    const description = 'Stock Cash Merger 0.5 AAPL and $10 for 1 SPY'
    account().act([
      { type: 'MA', symbol: 'SPY', qty: '-15', description },
      { type: 'MA', symbol: 'AAPL', qty: '7.5', description },
      { type: 'MA', symbol: 'SPY', amount: '150', description },
    ])
    await poll()
    const sentence = 'Merger: 15 SPY became 7.5 AAPL and $150.00.'
    await expectAgreed(['150', '44.444444444 TLT', '7.5 AAPL'], asked(sentence))
    expect(await told()).toContain(asked(sentence))
    expect(await ledgerOf('CORPORATE_ACTION')).toEqual([`none 2025: ${sentence}`])
  })

  it('a merger whose parts have neither a group nor words', async () => {
    await hold()
    world.quotes.set('AAPL', decimal('250'))
    account().act([{ type: 'MA', symbol: 'AAPL', qty: '7.5' }])
    account().act([
      { type: 'MA', symbol: 'SPY', qty: '-15' },
      { type: 'MA', symbol: 'SPY', amount: '150' },
    ])
    await poll()
    await expectAgreed(['150', '44.444444444 TLT', '7.5 AAPL'], asked('Merger: 15 SPY became 7.5 AAPL and $150.00.'))
  })

  it('two mergers of a day whose parts have neither a group nor words are asked about, not guessed', async () => {
    await hold()
    world.quotes.set('AAPL', decimal('250')).set('MSFT', decimal('90'))
    account().act([
      { type: 'MA', symbol: 'AAPL', qty: '24' },
      { type: 'MA', symbol: 'SPY', qty: '-15' },
      { type: 'MA', symbol: 'MSFT', qty: '44' },
      { type: 'MA', symbol: 'TLT', qty: '-44.444444444' },
    ])
    await poll()
    const { light, booksAgree } = (await deploymentOverview(world.deps, world.userId, deployment.id)).health
    expect([light, booksAgree]).toEqual(['red', false])
    expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  })

  it('a merger for money alone', async () => {
    await hold()
    account().act(
      [
        { type: 'MA', symbol: 'SPY', amount: '6100.55' },
        { type: 'MA', symbol: 'SPY', qty: '-15' },
      ],
      'group-1',
    )
    await poll()
    await expectAgreed(['6100.55', '44.444444444 TLT'])
    expect(await ledgerOf('CORPORATE_ACTION')).toEqual(['none 6100.55: Merger: 15 SPY became $6,100.55.'])
  })

  it('a change of symbol', async () => {
    await hold()
    world.quotes.set('AAPL', decimal('400'))
    account().act([
      { type: 'NC', symbol: 'SPY', qty: '-15', description: 'Name Change from SPY to AAPL' },
      { type: 'NC', symbol: 'AAPL', qty: '15', description: 'Name Change from SPY to AAPL' },
    ])
    await poll()
    await expectAgreed(['0', '15 AAPL', '44.444444444 TLT'], asked('Symbol change: 15 SPY became 15 AAPL.'))
  })

  it('a change of name under the same symbol, which moves nothing', async () => {
    await hold()
    account().act([
      { type: 'NC', symbol: 'SPY', qty: '-15' },
      { type: 'NC', symbol: 'SPY', qty: '15' },
    ])
    await poll()
    await expectAgreed(INVESTED)
    expect(await told()).toContain('Name change of SPY: its position stays as it is.')
  })

  it('a spin-off, to the holders of the shares that it was spun off from', async () => {
    await hold()
    world.quotes.set('AAPL', decimal('30'))
    account().act([
      {
        type: 'SPIN',
        symbol: 'AAPL',
        qty: '3',
        description: 'Target Symbol: AAPL, Initiating Symbol: SPY, 0.2 AAPL for each 1 SPY',
      },
      { type: 'SPIN', symbol: 'SPY', qty: '15', description: 'ADD, Cost basis adjustment for source company' },
      { type: 'SPIN', symbol: 'SPY', qty: '-15', description: 'REMOVE, Cost basis adjustment for source company' },
    ])
    await poll()
    await expectAgreed(['0', '15 SPY', '3 AAPL', '44.444444444 TLT'])
    expect(await ledgerOf('CORPORATE_ACTION')).toEqual(['in 90: Spin-off: 3 AAPL received.'])
  })

  it('a removal as worthless, and a stock dividend', async () => {
    await hold()
    account().act([{ type: 'REORG', symbol: 'TLT', qty: '-44.444444444', description: 'Worthless Removal - TLT' }])
    account().act([{ type: 'DIV', symbol: 'SPY', qty: '0.45', description: 'Stock DIV @ 1.03, Pos QTY: 15' }])
    await poll()
    await expectAgreed(['0', '15.45 SPY'])
    expect(await ledgerOf('CORPORATE_ACTION')).toEqual(['out 4000: Reorganisation: 44.444444444 TLT removed.'])
    expect(await told()).toContain('Stock dividend of SPY: 15 shares became 15.45.')
  })

  it('distributions of capital gains and charges per share, like dividends', async () => {
    await hold()
    account().book('CGD', '12', '2026-03-03', { symbol: 'SPY', description: 'Capital gains' })
    account().book('PTC', '-0.3', '2026-03-03', { symbol: 'SPY', description: 'Fee of the depositary' })
    await poll()
    await expectAgreed(['11.7', ...INVESTED.slice(1)])
  })

  it('money for a fraction that comes after the shares are gone, to those who had them', async () => {
    await hold()
    world.quotes.set('AAPL', decimal('400'))
    account().act([
      { type: 'MA', symbol: 'SPY', qty: '-15', description: 'Stock Merger 1 AAPL for 1 SPY' },
      { type: 'MA', symbol: 'AAPL', qty: '14', description: 'Stock Merger 1 AAPL for 1 SPY' },
    ])
    await poll()
    world.clock.advance(20 * HOUR)
    account().act([{ type: 'MA', symbol: 'SPY', amount: '399.5', description: 'Cash in lieu' }])
    await poll()
    await expectAgreed(['399.5', '14 AAPL', '44.444444444 TLT'], asked('Merger: 15 SPY became 14 AAPL.'))
  })

  it('two on one day that only together explain what the broker holds', async () => {
    await hold()
    world.quotes.set('AAPL', decimal('200'))
    account().act([
      { type: 'SPLIT', symbol: 'SPY', qty: '-15' },
      { type: 'SPLIT', symbol: 'SPY', qty: '30' },
      { type: 'NC', symbol: 'SPY', qty: '-30', description: 'Name Change from SPY to AAPL' },
      { type: 'NC', symbol: 'AAPL', qty: '30', description: 'Name Change from SPY to AAPL' },
    ])
    await poll()
    await expectAgreed(['0', '30 AAPL', '44.444444444 TLT'], asked('Symbol change: 30 SPY became 30 AAPL.'))
  })

  it('once the positions show it, not before, and once only', async () => {
    await hold()
    const split = [
      { type: 'SPLIT', symbol: 'SPY', qty: '-15' },
      { type: 'SPLIT', symbol: 'SPY', qty: '30' },
    ]
    account().act(split)
    account().move('SPY', '-15')
    await poll()
    await expectAgreed(INVESTED)
    account().move('SPY', '15')
    await poll()
    await poll()
    await expectAgreed(['0', '30 SPY', '44.444444444 TLT'])
    expect(await ledgerOf('SPLIT')).toHaveLength(1)
  })
})

describe('events of options', () => {
  const CALL = 'SPY260320C00410000'

  it('shares of a deployment that are called away are sold by it, at the strike', async () => {
    await hold()
    await writeCall()
    // The official form: both parts under one id.
    const [id] = account().act([{ type: 'OPASN', symbol: CALL, qty: '1', description: 'Option Assignment' }])
    account().cash = account().cash.plus(decimal('4100'))
    account().move('SPY', '-10')
    account().load([
      {
        id: id!,
        activity_type: 'OPTRD',
        date: '2026-03-03',
        net_amount: '4100',
        description: 'Option Trade',
        symbol: 'SPY',
        qty: '-10',
        price: '410',
        status: 'executed',
      },
    ])
    await poll()
    await expectAgreed(['4100', '44.444444444 TLT', '5 SPY'])
    expect(await unallocated(CALL)).toBe('0')
    expect(await ledgerOf('TRADE_SELL')).toEqual([
      `in 4100: Sold 10 SPY at $410.00: called away by the assignment of ${CALL}.`,
    ])
  })

  it('an expiry removes the contract', async () => {
    await hold()
    await writeCall()
    account().act([{ type: 'OPEXP', symbol: CALL, qty: '1', description: 'Option Expiry' }])
    await poll()
    await expectAgreed(INVESTED)
    expect(await unallocated(CALL)).toBe('0')
    expect(await told()).toContain(`Option expired: 1 ${CALL}.`)
  })

  it('an exercise buys the shares for the account', async () => {
    await hold()
    world.quotes.set(CALL, decimal('2'))
    await world.stage.tradeByHand('buy', CALL, '1')
    await poll()
    account().act([
      { type: 'OPEXC', symbol: CALL, qty: '-1', description: 'Option Exercise' },
      { type: 'OPTRD', symbol: 'SPY', qty: '100', amount: '-41000', price: '410', description: 'Option Trade' },
    ])
    await poll()
    await expectAgreed(INVESTED)
    expect(await unallocated('SPY')).toBe('100')
    expect(await told()).toContain(`Option exercised: 1 ${CALL}; $41,000.00 became 100 SPY.`)
  })

  async function writeCall(): Promise<void> {
    world.quotes.set(CALL, decimal('2'))
    await world.stage.tradeByHand('sell', CALL, '1')
    await poll()
  }
})

describe('a correction by the broker takes the place of what was booked', () => {
  it('of a dividend, in place or under another id', async () => {
    await hold()
    account().book('DIV', '10', '2026-03-03', { symbol: 'SPY', qty: '15', description: 'Dividend of SPY' })
    await poll()
    expect((await sliceOf(world, deployment.id))[0]).toBe('10')
    const { id } = account().activities.findLast(({ activity_type }) => activity_type === 'DIV')!
    account().change(id, { net_amount: '9', status: 'correct' })
    account().cash = account().cash.minus(decimal('1'))
    await poll()
    await poll()
    await expectAgreed(['9', ...INVESTED.slice(1)])
    expect(await told()).toContain('The broker corrected Dividend of SPY: $9.00 instead of $10.00.')
    account().cash = account().cash.minus(decimal('9'))
    account().book('DIV', '8.5', '2026-03-03', { symbol: 'SPY', status: 'correct', previous_id: id })
    await poll()
    await poll()
    await expectAgreed(['8.5', ...INVESTED.slice(1)])
  })

  it('of a dividend that is taken back weeks later, when its shares are sold', async () => {
    await hold()
    account().book('DIV', '10', '2026-03-03', { symbol: 'SPY', description: 'Dividend of SPY' })
    await poll()
    world.clock.advance(15 * 24 * HOUR)
    await poll()
    const { id } = account().activities.findLast(({ activity_type }) => activity_type === 'DIV')!
    account().change(id, { status: 'canceled' })
    account().cash = account().cash.minus(decimal('10'))
    world.clock.advance(24 * HOUR)
    await poll()
    await expectAgreed(INVESTED)
    expect(await told()).toContain('The broker took back Dividend of SPY: $10.00.')
  })

  const executionOf = (symbol: string) =>
    account().activities.findLast((one) => one.activity_type === 'FILL' && one['symbol'] === symbol)!
  const filledOf = async (ticker: string) => {
    const order = (await world.deps.database.orders.newest(deployment.id, 10)).find((one) => one.ticker === ticker)!
    return `${String(order.filledQuantity)} at ${String(order.averagePrice?.rounded(2) ?? 'n/a')}`
  }

  /** So many shares of the order of SPY count as filled; the rest of them and their money go back. */
  const fillOnly = (filled: string, shares: string, money: string) => {
    account().orders.find(({ symbol }) => symbol === 'SPY')!.filledQty = decimal(filled)
    account().move('SPY', shares)
    account().cash = account().cash.plus(decimal(money))
  }

  it('of an execution that is taken back', async () => {
    await hold()
    account().change(executionOf('SPY').id, { status: 'canceled' })
    fillOnly('0', '-15', '6000')
    await poll()
    await poll()
    await expectAgreed(['6000', '44.444444444 TLT'])
    const note = 'Bought 15 SPY at $400.00'
    expect(await ledgerOf('CORRECTION')).toEqual([`in 6000: Taken back by the broker: ${note}`])
    expect((await told()).split('The broker took back an execution, ')).toHaveLength(2)
    expect(await told()).toContain(
      'The broker took back an execution, 15 SPY bought at $400.00: $6,000.00 came back, and 15 SPY left.',
    )
    expect(await filledOf('SPY')).toBe('0 at n/a')
  })

  it('of executions that were booked from their order, one after the other', async () => {
    deployment = await world.deployed()
    runner = world.runner()
    Object.assign(world.stage, { hidesFills: true, holdsFills: true })
    world.toDecision()
    await settle(world, runner, 2)
    world.stage.fillPart('SPY', 0.4)
    world.stage.holdsFills = false
    world.stage.trade()
    await settle(world, runner, 2)
    world.clock.advance(5 * 60_000)
    await settle(world, runner, 3)
    expect(await told()).toContain('15 SPY bought at $400.00, booked from the order')
    const executions = account().activities.filter((one) => one.activity_type === 'FILL' && one['symbol'] === 'SPY')
    expect(executions.map((one) => one['qty'])).toEqual(['6', '9'])
    world.stage.hidesFills = false
    await poll()
    await expectAgreed(INVESTED)
    account().change(executions[0]!.id, { status: 'canceled' })
    fillOnly('9', '-6', '2400')
    await poll()
    await poll()
    await expectAgreed(['2400', '44.444444444 TLT', '9 SPY'])
    expect(await filledOf('SPY')).toBe('9 at 400')
    expect(await told()).toContain(
      'The broker took back an execution, 6 SPY bought at $400.00: $2,400.00 came back, and 6 SPY left.',
    )
    account().change(executions[1]!.id, { status: 'canceled' })
    fillOnly('0', '-9', '3600')
    await poll()
    await poll()
    await expectAgreed(['6000', '44.444444444 TLT'])
    expect(await filledOf('SPY')).toBe('0 at n/a')
  })

  it('of an execution that was booked from its order: at another price, and of fewer shares', async () => {
    deployment = await world.deployed()
    runner = world.runner()
    Object.assign(world.stage, { hidesFills: true, holdsFills: true })
    world.toDecision()
    await settle(world, runner, 2)
    world.stage.fillPart('SPY', 0.4)
    world.stage.holdsFills = false
    world.stage.trade()
    await settle(world, runner, 2)
    world.clock.advance(5 * 60_000)
    await settle(world, runner, 3)
    const settings = settingsOf({ rebalanceFrequency: 'none', rebalanceThresholdPct: 50 })
    await world.deps.database.deployments.change(deployment.id, { settings })
    const executions = account().activities.filter((one) => one.activity_type === 'FILL' && one['symbol'] === 'SPY')
    account().change(executions[0]!.id, { status: 'correct', price: '399.9' })
    fillOnly('15', '0', '0.6')
    world.stage.hidesFills = false
    await poll()
    await poll()
    await expectAgreed(['0.6', ...INVESTED.slice(1)])
    expect(await told()).toContain(
      'The broker corrected an execution: 15 SPY bought at $399.96 instead of 15 at $400.00.',
    )
    expect(await filledOf('SPY')).toBe('15 at 399.96')
    const { id, ...second } = executions[1]!
    account().load([{ ...second, id: `${id}9`, status: 'correct', previous_id: id, qty: '8' }])
    fillOnly('14', '-1', '400')
    await poll()
    await poll()
    await expectAgreed(['400.6', '14 SPY', '44.444444444 TLT'])
    expect(await filledOf('SPY')).toBe('14 at 399.96')
    account().change(executions[0]!.id, { status: 'canceled' })
    fillOnly('8', '-6', '2399.4')
    await poll()
    await poll()
    await expectAgreed(['2800', '44.444444444 TLT', '8 SPY'])
  })

  it('of an execution at another price, in place or under another id, weeks later', async () => {
    await hold()
    const settings = settingsOf({ rebalanceFrequency: 'none', rebalanceThresholdPct: 50 })
    await world.deps.database.deployments.change(deployment.id, { settings })
    const { id, ...execution } = executionOf('SPY')
    account().change(id, { status: 'correct', price: '399.99' })
    fillOnly('15', '0', '0.15')
    await poll()
    await poll()
    await expectAgreed(['0.15', ...INVESTED.slice(1)])
    expect(await ledgerOf('CORRECTION')).toEqual(['in 6000: Taken back by the broker: Bought 15 SPY at $400.00'])
    expect(await ledgerOf('TRADE_BUY')).toContain('out 5999.85: Bought 15 SPY at $399.99')
    expect(await told()).toContain(
      'The broker corrected an execution: 15 SPY bought at $399.99 instead of 15 at $400.00.',
    )
    expect(await filledOf('SPY')).toBe('15 at 399.99')
    world.clock.advance(15 * 24 * HOUR)
    await poll()
    account().load([{ ...execution, id: `${id}9`, status: 'correct', previous_id: id, qty: '14', price: '399.99' }])
    fillOnly('14', '-1', '399.99')
    world.clock.advance(24 * HOUR)
    await poll()
    await expectAgreed(['400.14', '14 SPY', '44.444444444 TLT'])
    expect(await filledOf('SPY')).toBe('14 at 399.99')
    account().change(`${id}9`, { status: 'canceled' })
    fillOnly('0', '-14', '5599.86')
    world.clock.advance(24 * HOUR)
    await poll()
    await expectAgreed(['6000', '44.444444444 TLT'])
  })

  it('of a trade by hand, which stays the account’s own', async () => {
    await hold()
    await world.stage.tradeByHand('buy', 'SPY', '5')
    await poll()
    account().change(executionOf('SPY').id, { status: 'canceled' })
    account().move('SPY', '-5')
    account().cash = account().cash.plus(decimal('2000'))
    await poll()
    await expectAgreed(INVESTED)
    expect(await unallocated('SPY')).toBe('0')
  })

  it('of a merger: other shares, booked once', async () => {
    await hold()
    world.quotes.set('AAPL', decimal('400'))
    const ids = account().act(
      [
        { type: 'MA', symbol: 'SPY', qty: '-15' },
        { type: 'MA', symbol: 'AAPL', qty: '15' },
      ],
      'group-7',
    )
    await poll()
    account().move('AAPL', '-1')
    account().change(ids[1]!, { qty: '14', status: 'correct' })
    await poll()
    await poll()
    await expectAgreed(['0', '14 AAPL', '44.444444444 TLT'], asked('Merger: 15 SPY became 15 AAPL.'))
    expect(await ledgerOf('CORRECTION')).toEqual([
      'none 6000: Taken back by the broker: Merger: 15 SPY became 15 AAPL.',
    ])
    for (const id of ids) account().change(id, { status: 'canceled' })
    account().move('AAPL', '-14')
    account().move('SPY', '15')
    await poll()
    await expectAgreed(INVESTED)
  })
})

describe('market data confirm a corporate action that was booked', () => {
  const day = () => epochDayOf(world.clock.now().getTime())
  const become = (perShare: number): ListedAction => ({
    ticker: 'SPY',
    day: day(),
    shares: [{ ticker: 'AAPL', perShare }],
    cashPerShare: 0,
    isKept: false,
  })

  async function renamed(): Promise<void> {
    await hold()
    world.quotes.set('AAPL', decimal('400'))
    account().act([
      { type: 'NC', symbol: 'SPY', qty: '-15', description: 'Name Change from SPY to AAPL' },
      { type: 'NC', symbol: 'AAPL', qty: '15', description: 'Name Change from SPY to AAPL' },
    ])
  }
  const errors = async () => (await mailsOf(world)).filter(({ text }) => text.includes('market data says'))
  const times = async (sentence: string) => (await told()).split(sentence).length - 1

  it('at once where they list it', async () => {
    const asked: unknown[] = []
    world.signalService.listedActions = async (userId, tickers) => {
      asked.push([userId === world.userId, ...tickers.toSorted()])
      return [become(1)]
    }
    await renamed()
    await poll()
    await poll()
    expect(asked).toEqual([[true, 'AAPL', 'SPY']])
    expect(await times('15 SPY became 15 AAPL. Confirmed by market data: each SPY became 1 AAPL on 2026-03-03.')).toBe(
      1,
    )
    expect(await errors()).toEqual([])
  })

  it('on a later day where they do not list it yet, and say so once', async () => {
    world.signalService.listedActions = async () => []
    await renamed()
    await poll()
    expect(await times('Market data does not list it yet.')).toBe(1)
    for (const listed of [[], [become(1)], [become(1)]]) {
      world.signalService.listedActions = async () => listed
      world.clock.advance(24 * HOUR)
      await poll()
    }
    expect(await times('Market data does not list it yet.')).toBe(1)
    expect(await times('Confirmed by market data: each SPY became 1 AAPL')).toBe(1)
  })

  it('or contradict it, which is told as an error while the shares of the broker stay booked', async () => {
    world.signalService.listedActions = async () => [become(0.5)]
    await renamed()
    await poll()
    expect(await times('But market data says that each SPY became 0.5 AAPL on 2026-03-03.')).toBe(1)
    expect(await errors()).toHaveLength(1)
    expect(await sliceOf(world, deployment.id)).toEqual(['0', '15 AAPL', '44.444444444 TLT'])
    await expectSound(world)
  })

  it.each([
    [0.2, 'Confirmed by market data: each SPY brought 0.2 AAPL on 2026-03-03.', 0],
    [0.9, 'But market data says that each SPY brought 0.9 AAPL on 2026-03-03.', 1],
  ])('of a spin-off by the shares that were held, at %d a share', async (perShare, sentence, mails) => {
    world.signalService.listedActions = async () => [{ ...become(perShare), isKept: true }]
    await hold()
    world.quotes.set('AAPL', decimal('30'))
    account().act([
      { type: 'SPIN', symbol: 'AAPL', qty: '3', description: 'Target Symbol: AAPL, Initiating Symbol: SPY' },
    ])
    await poll()
    expect(await times(sentence)).toBe(1)
    expect(await errors()).toHaveLength(mails)
    expect(await sliceOf(world, deployment.id)).toEqual(['0', '15 SPY', '3 AAPL', '44.444444444 TLT'])
  })

  it('or say nothing where they cannot be asked', async () => {
    world.signalService.listedActions = () => Promise.reject(new Error('connect ECONNREFUSED'))
    await renamed()
    await poll()
    expect(await told()).toContain('15 SPY became 15 AAPL.')
    expect(await times('arket data')).toBe(0)
  })
})
