import { Decimal } from '@tradewright/core/decimal'
import { epochDayOf, HOUR } from '@tradewright/core/time'
import type { ListedAction } from '@tradewright/engine/market/provider'
import { describe, expect, it } from 'vitest'
import { eachInvestedAtAlpaca } from '../../../test-support/live/invested-at-alpaca.ts'
import { mailsOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { expectSound } from '../../../test-support/live/live-world.ts'

const held = eachInvestedAtAlpaca()
const decimal = (text: string) => Decimal.parse(text)

describe('market data confirm a corporate action that was booked', () => {
  const day = () => epochDayOf(held.world.clock.now().getTime())
  const become = (perShare: number): ListedAction => ({
    ticker: 'SPY',
    day: day(),
    shares: [{ ticker: 'AAPL', perShare }],
    cashPerShare: 0,
    isKept: false,
  })

  async function renamed(): Promise<void> {
    await held.hold()
    held.world.quotes.set('AAPL', decimal('400'))
    held.account.act([
      { type: 'NC', symbol: 'SPY', qty: '-15', description: 'Name Change from SPY to AAPL' },
      { type: 'NC', symbol: 'AAPL', qty: '15', description: 'Name Change from SPY to AAPL' },
    ])
  }
  const errors = async () => (await mailsOf(held.world)).filter(({ text }) => text.includes('market data says'))
  const times = async (sentence: string) => (await held.told()).split(sentence).length - 1

  it('at once where they list it', async () => {
    const asked: unknown[] = []
    held.world.signalService.listedActions = async (userId, tickers) => {
      asked.push([userId === held.world.userId, ...tickers.toSorted()])
      return [become(1)]
    }
    await renamed()
    await held.poll()
    await held.poll()
    expect(asked).toEqual([[true, 'AAPL', 'SPY']])
    expect(await times('15 SPY became 15 AAPL. Confirmed by market data: each SPY became 1 AAPL on 2026-03-03.')).toBe(
      1,
    )
    expect(await errors()).toEqual([])
  })

  it('on a later day where they do not list it yet, and say so once', async () => {
    held.world.signalService.listedActions = async () => []
    await renamed()
    await held.poll()
    expect(await times('Market data does not list it yet.')).toBe(1)
    for (const listed of [[], [become(1)], [become(1)]]) {
      held.world.signalService.listedActions = async () => listed
      held.world.clock.advance(24 * HOUR)
      await held.poll()
    }
    expect(await times('Market data does not list it yet.')).toBe(1)
    expect(await times('Confirmed by market data: each SPY became 1 AAPL')).toBe(1)
  })

  it('or contradict it, which is told as an error while the shares of the broker stay booked', async () => {
    held.world.signalService.listedActions = async () => [become(0.5)]
    await renamed()
    await held.poll()
    expect(await times('But market data says that each SPY became 0.5 AAPL on 2026-03-03.')).toBe(1)
    expect(await errors()).toHaveLength(1)
    expect(await sliceOf(held.world, held.id)).toEqual(['0', '15 AAPL', '44.444444444 TLT'])
    await expectSound(held.world)
  })

  it.each([
    [0.2, 'Confirmed by market data: each SPY brought 0.2 AAPL on 2026-03-03.', 0],
    [0.9, 'But market data says that each SPY brought 0.9 AAPL on 2026-03-03.', 1],
  ])('of a spin-off by the shares that were held, at %d a share', async (perShare, sentence, mails) => {
    held.world.signalService.listedActions = async () => [{ ...become(perShare), isKept: true }]
    await held.hold()
    held.world.quotes.set('AAPL', decimal('30'))
    held.account.act([
      { type: 'SPIN', symbol: 'AAPL', qty: '3', description: 'Target Symbol: AAPL, Initiating Symbol: SPY' },
    ])
    await held.poll()
    expect(await times(sentence)).toBe(1)
    expect(await errors()).toHaveLength(mails)
    expect(await sliceOf(held.world, held.id)).toEqual(['0', '15 SPY', '3 AAPL', '44.444444444 TLT'])
  })

  it('or say nothing where they cannot be asked', async () => {
    held.world.signalService.listedActions = () => Promise.reject(new Error('connect ECONNREFUSED'))
    await renamed()
    await held.poll()
    expect(await held.told()).toContain('15 SPY became 15 AAPL.')
    expect(await times('arket data')).toBe(0)
  })
})
