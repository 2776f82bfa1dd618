import { Decimal } from '@tradewright/core/decimal'
import { DAY } from '@tradewright/core/time'
import { accountTotal, valueOf } from '@tradewright/engine/trading/ledger/books'
import { expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { activityOf, expectSound, type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import type { Deployment } from '../deployment.ts'
import { chooseTicker } from '../ticker-changes/choose.ts'
import { deploymentOverview } from '../views.ts'
import type { LiveRunner } from './runner.ts'

let world: LiveWorld
eachInAWorld(
  (opened) => {
    world = opened
  },
  { stage: alpacaStage },
)

const decimal = (text: string) => Decimal.parse(text)
const account = () => (world.stage as AlpacaStage).standIn.account
const held = (symbol: string) => account().positions.get(symbol)?.qty ?? Decimal.zero
const times = (symbol: string, factor: string) => String(held(symbol).times(decimal(factor)))
const all = (symbol: string) => String(held(symbol).negated())
const dollars = (symbol: string, perShare: string) => String(held(symbol).times(decimal(perShare)).rounded(2))
const reprice = (symbol: string, factor: string) =>
  world.quotes.set(symbol, world.quotes.get(symbol)!.times(decimal(factor)))

const CALL = 'SPY270115C00500000'
const PUT = 'TLT270115P00050000'

interface Event {
  readonly what: string
  /** The broker's side of it; the answer are the activities that it lists. */
  readonly happen: () => void | Promise<void>
  /** Told to the deployments that held the shares. */
  readonly told?: RegExp
  /** It changes what they are worth. */
  readonly isGain?: true
}

const removal = (type: string, symbol: string) => ({ type, symbol, qty: all(symbol) })

/** Every month of a year has one of them, or two. Prices move so that the action itself is worth nothing. */
const YEAR: readonly Event[][] = [
  [
    {
      what: 'a dividend and its tax',
      happen: () => {
        account().book('DIV', dollars('SPY', '1.37'), undefined, { symbol: 'SPY', qty: String(held('SPY')) })
        account().book('DIVNRA', `-${dollars('SPY', '0.2')}`, undefined, { symbol: 'SPY' })
      },
      isGain: true,
    },
  ],
  [
    {
      what: 'a forward split, three for one',
      happen: () => {
        const parts = [removal('SPLIT', 'SPY'), { type: 'SPLIT', symbol: 'SPY', qty: times('SPY', '3') }]
        world.quotes.set('SPY', decimal('132'))
        account().act(parts)
      },
      told: /Split of SPY: [\d.]+ shares became [\d.]+\./,
      isGain: true,
    },
  ],
  [
    {
      what: 'a merger for shares and money',
      happen: () => {
        world.quotes.set('MSFT', world.quotes.get('TLT')!.minus(decimal('3')).times(decimal('4')))
        const description = 'Stock Cash Merger 0.25 MSFT and $3 for 1 TLT'
        account().act([
          { ...removal('MA', 'TLT'), description },
          { type: 'MA', symbol: 'MSFT', qty: times('TLT', '0.25'), description },
          { type: 'MA', symbol: 'TLT', amount: dollars('TLT', '3'), description },
        ])
      },
      told: /Merger: [\d.]+ TLT became [\d.]+ MSFT and \$[\d,.]+\./,
    },
  ],
  [
    {
      what: 'a change of symbol',
      happen: () => {
        world.quotes.set('AAPL', world.quotes.get('SPY')!)
        const qty = String(held('SPY'))
        account().act([removal('NC', 'SPY'), { type: 'NC', symbol: 'AAPL', qty }], 'renamed')
      },
      told: /Symbol change: ([\d.]+) SPY became \1 AAPL\./,
    },
    {
      what: 'a change of name alone',
      happen: () => {
        account().act([removal('NC', 'TLT'), { type: 'NC', symbol: 'TLT', qty: String(held('TLT')) }])
      },
      told: /Name change of TLT/,
    },
  ],
  [
    {
      what: 'a reverse split',
      happen: () => {
        const parts = [removal('SPLIT', 'SPY'), { type: 'SPLIT', symbol: 'SPY', qty: times('SPY', '0.1') }]
        reprice('SPY', '10')
        account().act(parts)
      },
      told: /Split of SPY/,
    },
    {
      what: 'money for a fraction of it, the day after',
      happen: () => account().book('SPLIT', '1.23', undefined, { symbol: 'SPY', description: 'Cash in lieu' }),
      isGain: true,
    },
  ],
  [
    {
      what: 'a spin-off',
      happen: () => {
        reprice('MSFT', '0')
        world.quotes.set('MSFT', decimal('20'))
        world.quotes.set('SPY', world.quotes.get('SPY')!.minus(decimal('4')))
        account().act([
          {
            type: 'SPIN',
            symbol: 'MSFT',
            qty: times('SPY', '0.2'),
            description: 'Target Symbol: MSFT, Initiating Symbol: SPY, 0.2 MSFT for each 1 SPY',
          },
        ])
      },
      told: /Spin-off: [\d.]+ MSFT received\./,
    },
    {
      what: 'a removal as worthless',
      happen: () => {
        world.quotes.set('MSFT', decimal('0.01'))
        account().act([{ ...removal('REORG', 'MSFT'), description: 'Worthless Removal - MSFT' }])
      },
      told: /Reorganisation: [\d.]+ MSFT removed\./,
      isGain: true,
    },
  ],
  [
    {
      what: 'a stock dividend',
      happen: () => {
        const qty = times('TLT', '0.03')
        world.quotes.set('TLT', world.quotes.get('TLT')!.dividedBy(decimal('1.03')))
        account().act([{ type: 'DIV', symbol: 'TLT', qty, description: 'Stock DIV @ 1.03' }])
      },
      told: /Stock dividend of TLT/,
    },
  ],
  [
    {
      what: 'a merger for money',
      happen: () => {
        const price = String(world.quotes.get('GLD')!)
        account().act(
          [{ type: 'MA', symbol: 'GLD', amount: dollars('GLD', price) }, removal('MA', 'GLD')],
          'bought-out',
        )
      },
      told: /Merger: [\d.]+ GLD became \$[\d,.]+\./,
    },
  ],
  [
    {
      what: 'a covered call by hand',
      happen: () => {
        world.quotes.set(CALL, decimal('2'))
        return world.stage.tradeByHand('sell', CALL, '1')
      },
    },
    {
      what: 'its assignment, which calls shares of the deployments away',
      happen: () => {
        world.quotes.set('SPY', decimal('1300'))
        account().act([
          { type: 'OPASN', symbol: CALL, qty: '1', description: 'Option Assignment' },
          { type: 'OPTRD', symbol: 'SPY', qty: '-6', amount: '7800', price: '1300', description: 'Option Trade' },
        ])
      },
      told: /Sold [\d.]+ SPY at \$1,300\.00: called away/,
      isGain: true,
    },
  ],
  [
    {
      what: 'a put by hand',
      happen: () => {
        world.quotes.set(PUT, decimal('3'))
        return world.stage.tradeByHand('buy', PUT, '2')
      },
    },
    {
      what: 'the exercise of one, with shares of the account',
      happen: async () => {
        await world.stage.tradeByHand('buy', 'TLT', '100')
        account().act([
          { type: 'OPEXC', symbol: PUT, qty: '-1', description: 'Option Exercise' },
          { type: 'OPTRD', symbol: 'TLT', qty: '-100', amount: '5000', price: '50', description: 'Option Trade' },
        ])
      },
    },
    {
      what: 'the expiry of the other',
      happen: () => {
        account().act([{ type: 'OPEXP', symbol: PUT, qty: '-1', description: 'Option Expiry' }])
      },
      told: /Option expired: 1 TLT/,
    },
  ],
  [
    {
      what: 'a dividend that is corrected',
      happen: () => account().book('DIV', '12.5', undefined, { symbol: 'SPY', description: 'Dividend of SPY' }),
      isGain: true,
    },
    {
      what: 'its correction',
      happen: () => {
        const { id } = account().activities.findLast(({ activity_type: type }) => type === 'DIV')!
        account().change(id, { net_amount: '11.5', status: 'correct' })
        account().cash = account().cash.minus(decimal('1'))
      },
      told: /The broker corrected Dividend of SPY/,
      isGain: true,
    },
  ],
  [
    {
      what: 'a deposit, interest and a fee',
      happen: () => {
        account().book('CSD', '2500')
        account().book('INT', '3.21')
        account().book('FEE', '-0.07', undefined, { description: 'REG fee' })
      },
      isGain: true,
    },
    {
      what: 'a merger that is taken back',
      happen: () => {
        world.quotes.set('AAPL', world.quotes.get('TLT')!)
        const qty = String(held('TLT'))
        account().act([removal('MA', 'TLT'), { type: 'MA', symbol: 'AAPL', qty }], 'mistaken')
      },
      told: /Merger: [\d.]+ TLT became/,
    },
    {
      what: 'its cancellation',
      happen: () => {
        const qty = String(held('AAPL'))
        account().move('AAPL', `-${qty}`)
        account().move('TLT', qty)
        for (const { id, group_id: group } of account().activities)
          if (group === 'mistaken') account().change(id, { status: 'canceled' })
      },
      told: /Taken back by the broker: Merger/,
    },
  ],
]

let deployments: Deployment[]
let runner: LiveRunner

/** Every share and every cent of the broker's is in the books. The light may say what the next decision has to buy. */
async function expectEqualToBroker(what: string): Promise<void> {
  const { cash, positions } = accountTotal(await world.deps.database.books.books(world.accountId))
  const texts = (some: Iterable<readonly [string, Decimal]>) =>
    Object.fromEntries([...some].map(([ticker, quantity]) => [ticker, String(quantity.rounded(6))]))
  expect(texts(positions), what).toEqual(texts([...account().positions].map(([ticker, { qty }]) => [ticker, qty])))
  expect(String(cash.minus(account().cash).rounded(2)), what).toMatch(/^-?0$/)
  for (const { id } of deployments) {
    const { health } = await deploymentOverview(world.deps, world.userId, id)
    expect(health.booksAgree, what).toBe(true)
    expect(health.light, what).not.toBe('red')
  }
}

/** Every choice about a new ticker is to sell it: the next decision buys what the strategy names. */
async function sellWhatChanged(): Promise<void> {
  const { tickerChanges } = world.deps.database
  for (const change of await tickerChanges.of(deployments.map(({ id }) => id)))
    await chooseTicker(world.deps, world.userId, change.deploymentId, change, 'sell')
}

const worth = async () => {
  const books = await world.deps.database.books.books(world.accountId)
  const own = [...books].filter(([party]) => party.startsWith('deployment'))
  return own.reduce((sum, [, slice]) => sum.plus(valueOf(slice, (ticker) => world.quotes.get(ticker))), Decimal.zero)
}

const toldSoFar = async () => (await Promise.all(deployments.map(({ id }) => activityOf(world, id)))).flat().join('\n')

it('a year with every kind of corporate action ends with books that equal the broker to the cent', async () => {
  deployments = [await world.deployed(), await world.deployed({ capitalPolicyValue: decimal('7000') })]
  runner = world.runner()
  const weights = [
    { SPY: 60, TLT: 40 },
    { SPY: 45, TLT: 35, GLD: 20 },
  ]
  for (const [month, events] of YEAR.entries()) {
    world.signalService.percentages = weights[month % 2]!
    for (const ticker of ['SPY', 'TLT', 'GLD']) reprice(ticker, ['1.01', '0.99', '1.02'][month % 3]!)
    // The run of the day after the last one was missed; the next one is planned.
    await settle(world, runner, 1)
    world.toDecision()
    await settle(world, runner, 6)
    await expectEqualToBroker(`the trades of month ${month + 1}`)
    for (const { what, happen, told, isGain } of events) {
      const before = await worth()
      await happen()
      world.clock.advance(61_000)
      await settle(world, runner, 2)
      await sellWhatChanged()
      await expectEqualToBroker(what)
      if (told) expect(await toldSoFar(), what).toMatch(told)
      const change = (await worth()).minus(before)
      if (!isGain) expect(change.absolute().isBelow(decimal('0.05')), `${what}: ${String(change)}`).toBe(true)
    }
    world.clock.advance(29 * DAY)
  }
  await expectSound(world)
  expect(world.stage.violations).toEqual([])
}, 600_000)
