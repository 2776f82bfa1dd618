import { Decimal } from '@tradewright/core/decimal'
import { HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { asked, eachInvestedAtAlpaca } from '../../../test-support/live/invested-at-alpaca.ts'
import { INVESTED, mailsOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { deploymentOverview } from '../views.ts'

const held = eachInvestedAtAlpaca()
const decimal = (text: string) => Decimal.parse(text)

describe('a corporate action that the broker lists is booked for the deployment that held the shares', () => {
  it('a split, as the removal of the old shares and the arrival of the new ones', async () => {
    await held.hold()
    held.world.quotes.set('SPY', decimal('100'))
    held.account.act([
      { type: 'SPLIT', symbol: 'SPY', qty: '-15', description: 'REMOVE, From QTY:-15, To QTY:60, Position Value:6000' },
      { type: 'SPLIT', symbol: 'SPY', qty: '60', description: 'ADD, From QTY:-15, To QTY:60, Position Value:6000' },
    ])
    await held.poll()
    await held.expectAgreed(['0', '44.444444444 TLT', '60 SPY'])
    expect(await held.told()).toContain('Split of SPY: 15 shares became 60.')
    expect(await held.ledgerOf('SPLIT')).toEqual(['in 0: Split of SPY: 15 shares became 60.'])
  })

  it.each([
    ['4', 'as the market data have it', false],
    ['2', 'which the market data contradict', true],
  ])('a split of 4 for 1 where the data say %s for 1, %s', async (ratio, _, isTold) => {
    await held.hold()
    held.world.quotes.set('SPY', decimal('100'))
    held.world.signalService.splitsOf = { SPY: [ratio] }
    held.account.act([
      { type: 'SPLIT', symbol: 'SPY', qty: '-15' },
      { type: 'SPLIT', symbol: 'SPY', qty: '60' },
    ])
    await held.poll()
    await held.poll()
    // The broker's shares count either way.
    await held.expectAgreed(['0', '44.444444444 TLT', '60 SPY'])
    const sentence = 'The broker made 60 of 15 SPY in a split, but the market data say 2 for 1.'
    expect((await held.told()).split(sentence)).toHaveLength(isTold ? 2 : 1)
    expect((await mailsOf(held.world)).filter(({ event }) => event === 'errors')).toHaveLength(isTold ? 1 : 0)
  })

  it('a split in proportion, where the account holds some of the shares itself', async () => {
    await held.hold()
    await held.world.stage.tradeByHand('buy', 'SPY', '5')
    await held.poll()
    held.world.quotes.set('SPY', decimal('4000'))
    held.account.act([
      { type: 'SPLIT', symbol: 'SPY', qty: '-20' },
      { type: 'SPLIT', symbol: 'SPY', qty: '2' },
    ])
    await held.poll()
    await held.expectAgreed(['0', '1.5 SPY', '44.444444444 TLT'])
    expect(await held.unallocated('SPY')).toBe('0.5')
  })

  it('a merger for shares and money', async () => {
    await held.hold()
    held.world.quotes.set('AAPL', decimal('250'))
    const description = 'Stock Cash Merger 0.5 AAPL and $10 for 1 SPY'
    held.account.act([
      { type: 'MA', symbol: 'SPY', qty: '-15', description },
      { type: 'MA', symbol: 'AAPL', qty: '7.5', description },
      { type: 'MA', symbol: 'SPY', amount: '150', description },
    ])
    await held.poll()
    const sentence = 'Merger: 15 SPY became 7.5 AAPL and $150.00.'
    await held.expectAgreed(['150', '44.444444444 TLT', '7.5 AAPL'], asked(sentence))
    expect(await held.told()).toContain(asked(sentence))
    expect(await held.ledgerOf('CORPORATE_ACTION')).toEqual([`none 2025: ${sentence}`])
  })

  it('a merger whose parts have neither a group nor words', async () => {
    await held.hold()
    held.world.quotes.set('AAPL', decimal('250'))
    held.account.act([{ type: 'MA', symbol: 'AAPL', qty: '7.5' }])
    held.account.act([
      { type: 'MA', symbol: 'SPY', qty: '-15' },
      { type: 'MA', symbol: 'SPY', amount: '150' },
    ])
    await held.poll()
    await held.expectAgreed(
      ['150', '44.444444444 TLT', '7.5 AAPL'],
      asked('Merger: 15 SPY became 7.5 AAPL and $150.00.'),
    )
  })

  it('two mergers of a day whose parts have neither a group nor words are asked about, not guessed', async () => {
    await held.hold()
    held.world.quotes.set('AAPL', decimal('250')).set('MSFT', decimal('90'))
    held.account.act([
      { type: 'MA', symbol: 'AAPL', qty: '24' },
      { type: 'MA', symbol: 'SPY', qty: '-15' },
      { type: 'MA', symbol: 'MSFT', qty: '44' },
      { type: 'MA', symbol: 'TLT', qty: '-44.444444444' },
    ])
    await held.poll()
    const { light, booksAgree } = (await deploymentOverview(held.world.deps, held.world.userId, held.id)).health
    expect([light, booksAgree]).toEqual(['red', false])
    expect(await sliceOf(held.world, held.id)).toEqual(INVESTED)
  })

  it('a merger for money alone', async () => {
    await held.hold()
    held.account.act(
      [
        { type: 'MA', symbol: 'SPY', amount: '6100.55' },
        { type: 'MA', symbol: 'SPY', qty: '-15' },
      ],
      'group-1',
    )
    await held.poll()
    await held.expectAgreed(['6100.55', '44.444444444 TLT'])
    expect(await held.ledgerOf('CORPORATE_ACTION')).toEqual(['none 6100.55: Merger: 15 SPY became $6,100.55.'])
  })

  it('a change of symbol', async () => {
    await held.hold()
    held.world.quotes.set('AAPL', decimal('400'))
    held.account.act([
      { type: 'NC', symbol: 'SPY', qty: '-15', description: 'Name Change from SPY to AAPL' },
      { type: 'NC', symbol: 'AAPL', qty: '15', description: 'Name Change from SPY to AAPL' },
    ])
    await held.poll()
    await held.expectAgreed(['0', '15 AAPL', '44.444444444 TLT'], asked('Symbol change: 15 SPY became 15 AAPL.'))
  })

  it('a change of name under the same symbol, which moves nothing', async () => {
    await held.hold()
    held.account.act([
      { type: 'NC', symbol: 'SPY', qty: '-15' },
      { type: 'NC', symbol: 'SPY', qty: '15' },
    ])
    await held.poll()
    await held.expectAgreed(INVESTED)
    expect(await held.told()).toContain('Name change of SPY: its position stays as it is.')
  })

  it('a spin-off, to the holders of the shares that it was spun off from', async () => {
    await held.hold()
    held.world.quotes.set('AAPL', decimal('30'))
    held.account.act([
      {
        type: 'SPIN',
        symbol: 'AAPL',
        qty: '3',
        description: 'Target Symbol: AAPL, Initiating Symbol: SPY, 0.2 AAPL for each 1 SPY',
      },
      { type: 'SPIN', symbol: 'SPY', qty: '15', description: 'ADD, Cost basis adjustment for source company' },
      { type: 'SPIN', symbol: 'SPY', qty: '-15', description: 'REMOVE, Cost basis adjustment for source company' },
    ])
    await held.poll()
    await held.expectAgreed(['0', '15 SPY', '3 AAPL', '44.444444444 TLT'])
    expect(await held.ledgerOf('CORPORATE_ACTION')).toEqual(['in 90: Spin-off: 3 AAPL received.'])
  })

  it('a removal as worthless, and a stock dividend', async () => {
    await held.hold()
    held.account.act([{ type: 'REORG', symbol: 'TLT', qty: '-44.444444444', description: 'Worthless Removal - TLT' }])
    held.account.act([{ type: 'DIV', symbol: 'SPY', qty: '0.45', description: 'Stock DIV @ 1.03, Pos QTY: 15' }])
    await held.poll()
    await held.expectAgreed(['0', '15.45 SPY'])
    expect(await held.ledgerOf('CORPORATE_ACTION')).toEqual(['out 4000: Reorganisation: 44.444444444 TLT removed.'])
    expect(await held.told()).toContain('Stock dividend of SPY: 15 shares became 15.45.')
  })

  it('distributions of capital gains and charges per share, like dividends', async () => {
    await held.hold()
    held.account.book('CGD', '12', '2026-03-03', { symbol: 'SPY', description: 'Capital gains' })
    held.account.book('PTC', '-0.3', '2026-03-03', { symbol: 'SPY', description: 'Fee of the depositary' })
    await held.poll()
    await held.expectAgreed(['11.7', ...INVESTED.slice(1)])
  })

  it('money for a fraction that comes after the shares are gone, to those who had them', async () => {
    await held.hold()
    held.world.quotes.set('AAPL', decimal('400'))
    held.account.act([
      { type: 'MA', symbol: 'SPY', qty: '-15', description: 'Stock Merger 1 AAPL for 1 SPY' },
      { type: 'MA', symbol: 'AAPL', qty: '14', description: 'Stock Merger 1 AAPL for 1 SPY' },
    ])
    await held.poll()
    held.world.clock.advance(20 * HOUR)
    held.account.act([{ type: 'MA', symbol: 'SPY', amount: '399.5', description: 'Cash in lieu' }])
    await held.poll()
    await held.expectAgreed(['399.5', '14 AAPL', '44.444444444 TLT'], asked('Merger: 15 SPY became 14 AAPL.'))
  })

  it('two on one day that only together explain what the broker holds', async () => {
    await held.hold()
    held.world.quotes.set('AAPL', decimal('200'))
    held.account.act([
      { type: 'SPLIT', symbol: 'SPY', qty: '-15' },
      { type: 'SPLIT', symbol: 'SPY', qty: '30' },
      { type: 'NC', symbol: 'SPY', qty: '-30', description: 'Name Change from SPY to AAPL' },
      { type: 'NC', symbol: 'AAPL', qty: '30', description: 'Name Change from SPY to AAPL' },
    ])
    await held.poll()
    await held.expectAgreed(['0', '30 AAPL', '44.444444444 TLT'], asked('Symbol change: 30 SPY became 30 AAPL.'))
  })

  it('once the positions show it, not before, and once only', async () => {
    await held.hold()
    const split = [
      { type: 'SPLIT', symbol: 'SPY', qty: '-15' },
      { type: 'SPLIT', symbol: 'SPY', qty: '30' },
    ]
    held.account.act(split)
    held.account.move('SPY', '-15')
    await held.poll()
    await held.expectAgreed(INVESTED)
    held.account.move('SPY', '15')
    await held.poll()
    await held.poll()
    await held.expectAgreed(['0', '30 SPY', '44.444444444 TLT'])
    expect(await held.ledgerOf('SPLIT')).toHaveLength(1)
  })
})

describe('events of options', () => {
  const CALL = 'SPY260320C00410000'

  it('shares of a deployment that are called away are sold by it, at the strike', async () => {
    await held.hold()
    await writeCall()
    // The official form: both parts under one id.
    const [id] = held.account.act([{ type: 'OPASN', symbol: CALL, qty: '1', description: 'Option Assignment' }])
    held.account.cash = held.account.cash.plus(decimal('4100'))
    held.account.move('SPY', '-10')
    held.account.load([
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
    await held.poll()
    await held.expectAgreed(['4100', '44.444444444 TLT', '5 SPY'])
    expect(await held.unallocated(CALL)).toBe('0')
    expect(await held.ledgerOf('TRADE_SELL')).toEqual([
      `in 4100: Sold 10 SPY at $410.00: called away by the assignment of ${CALL}.`,
    ])
  })

  it('an expiry removes the contract', async () => {
    await held.hold()
    await writeCall()
    held.account.act([{ type: 'OPEXP', symbol: CALL, qty: '1', description: 'Option Expiry' }])
    await held.poll()
    await held.expectAgreed(INVESTED)
    expect(await held.unallocated(CALL)).toBe('0')
    expect(await held.told()).toContain(`Option expired: 1 ${CALL}.`)
  })

  it('an exercise buys the shares for the account', async () => {
    await held.hold()
    held.world.quotes.set(CALL, decimal('2'))
    await held.world.stage.tradeByHand('buy', CALL, '1')
    await held.poll()
    held.account.act([
      { type: 'OPEXC', symbol: CALL, qty: '-1', description: 'Option Exercise' },
      { type: 'OPTRD', symbol: 'SPY', qty: '100', amount: '-41000', price: '410', description: 'Option Trade' },
    ])
    await held.poll()
    await held.expectAgreed(INVESTED)
    expect(await held.unallocated('SPY')).toBe('100')
    expect(await held.told()).toContain(`Option exercised: 1 ${CALL}; $41,000.00 became 100 SPY.`)
  })

  async function writeCall(): Promise<void> {
    held.world.quotes.set(CALL, decimal('2'))
    await held.world.stage.tradeByHand('sell', CALL, '1')
    await held.poll()
  }
})
