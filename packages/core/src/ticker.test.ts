import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from './problem.ts'
import { coinOf, isObservation, mainCategory, tickerKind } from './ticker-kind.ts'
import { fallbacksOf, formatTicker, heldKind, parseTicker, labelsOf } from './ticker.ts'

describe('parseTicker', () => {
  it('trims and upper-cases a plain symbol', () => {
    expect(parseTicker(' spy ')).toEqual({ symbol: 'SPY', kind: 'security', leverage: undefined })
  })

  it('reads leverage written as ?L=n [BT-116]', () => {
    expect(parseTicker('SPY?L=3').leverage).toEqual({
      factor: 3,
      expensePct: undefined,
      spreadPct: undefined,
      borrowWeight: undefined,
    })
  })

  it('reads the overrides E, SP and SW', () => {
    expect(parseTicker('qqq?l=2&e=0.95&sp=0.3&sw=1').leverage).toEqual({
      factor: 2,
      expensePct: 0.95,
      spreadPct: 0.3,
      borrowWeight: 1,
    })
  })

  it('has leverage 1 by default, which is none [LIVE-136]', () => {
    expect(parseTicker('SPY?L=1').leverage).toBeUndefined()
    expect(parseTicker('SPY?L=1&E=0.2').leverage?.expensePct).toBe(0.2)
  })

  it('drops leverage on cash', () => {
    expect(parseTicker('CASHX?L=3')).toEqual({ symbol: 'CASHX', kind: 'cash', leverage: undefined })
  })

  it.each([
    '',
    '  ',
    '?L=2',
    'SP Y',
    'SPY?L=',
    'SPY?L=two',
    'SPY?X=1',
    'SPY?L=2?',
    'SPY?L=2=3',
    'SPY?L=Infinity',
    '<b>',
  ])('refuses "%s"', (text) => {
    expect(() => parseTicker(text)).toThrow(Problem)
  })

  it('writes each ticker in one way only', () => {
    const override = fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined })
    fc.assert(
      fc.property(fc.integer({ min: -300, max: 300 }), override, override, override, (factor, e, sp, sw) => {
        const text = ['E', 'SP', 'SW'].reduce(
          (all, name, i) => {
            const value = [e, sp, sw][i]
            return value === undefined ? all : `${all}&${name}=${value / 100}`
          },
          `SPY?L=${factor / 100}`,
        )
        const ticker = parseTicker(text)
        expect(parseTicker(formatTicker(ticker))).toEqual(ticker)
      }),
    )
  })
})

describe('history before a ticker existed', () => {
  it('is that of the fallback, which takes all that follows FB', () => {
    const ticker = parseTicker('upro?e=0.1&fb=spy?l=3&e=0.9')
    expect(ticker).toMatchObject({ symbol: 'UPRO', leverage: { factor: 1, expensePct: 0.1 } })
    expect(ticker.fallback).toMatchObject({ symbol: 'SPY', leverage: { factor: 3, expensePct: 0.9 } })
    expect(parseTicker('BIL?FB=TBILLX').fallback).toMatchObject({ symbol: 'TBILLX', kind: 'treasury_bill' })
  })

  it('may have a fallback of its own', () => {
    const ticker = parseTicker('TLT?L=3&FB=VUSTX?FB=DGS20?M=20&E=0.15')
    expect(fallbacksOf(ticker).map(({ symbol }) => symbol)).toEqual(['VUSTX', 'DGS20'])
    expect(formatTicker(ticker)).toBe('TLT?L=3&FB=VUSTX?FB=DGS20?L=1&E=0.15&M=20')
    expect(parseTicker(formatTicker(ticker))).toEqual(ticker)
  })

  it('a yield with a maturity is held as an index of its bonds', () => {
    expect(heldKind(parseTicker('DGS10?M=10'))).toBe('index')
    expect(heldKind(parseTicker('DGS10'))).toBe('economic')
  })

  it.each([
    ['SPY?FB=', 'no symbol'],
    ['SPY?FB=SPY', 'cannot stand in for itself'],
    ['SPY?FB=VFINX?FB=SPY?L=2', 'cannot stand in for itself'],
    ['SPY?FB=A?FB=B?FB=C?FB=D', 'at most 3 fallbacks'],
    ['SPY?FB=CASHX', 'stands in for nothing'],
    ['TBILLX?FB=BIL', 'needs no fallback'],
    ['IEF?FB=DGS10', 'DGS10?M=10'],
    ['DGS10?FB=IEF', 'has no price'],
    ['BTC-USD?FB=BTC-FR', 'has no price'],
    ['IEF?M=8', 'is not a yield'],
    ['DGS10?M=0', 'from 0.25 to 40'],
    ['DGS10?M=1e9', 'from 0.25 to 40'],
    ['SPY?L=2?FB=VFINX', 'more than one question mark'],
    ['SPY?FB=VFINX&E=0.2', 'FB comes last'],
    ['SPY?FB=VFINX?X=1', '"X" is not one of'],
  ])('refuses %s: %s', (text, why) => {
    expect(() => parseTicker(text)).toThrow(why)
  })
})

describe('tickerKind', () => {
  it.each([
    ['AAPL', 'security'],
    ['BRK-B', 'security'],
    ['^GSPC', 'index'],
    ['EURUSD=X', 'currency'],
    ['CL=F', 'future'],
    ['BTC-USD', 'crypto'],
    ['BTC-FR', 'funding_rate'],
    ['BTC-USD-OI', 'open_interest'],
    ['ETH-LS', 'long_short_ratio'],
    ['ETHUSDT-LIQ', 'liquidations'],
    ['CPIAUCSL', 'economic'],
    ['FRED:XYZ', 'economic'],
    ['CASHX', 'cash'],
    ['TBILLX', 'treasury_bill'],
  ])('knows %s as %s [BT-047]', (symbol, kind) => {
    expect(tickerKind(symbol)).toBe(kind)
  })

  it.each([
    ['BTC-USD', 'BTC'],
    ['BTC-FR', 'BTC'],
    ['BTC-USD-OI', 'BTC'],
    ['BTCUSDT-LS', 'BTC'],
    ['AAPL', undefined],
  ])('finds the coin of %s', (symbol, coin) => {
    expect(coinOf(symbol)).toBe(coin)
  })

  it('gives observations a value and everything else a close', () => {
    expect(mainCategory('funding_rate')).toBe('value')
    expect(mainCategory('cash')).toBe('close')
    expect(isObservation('crypto')).toBe(false)
  })
})

it('leaves the fallback out of a label unless two would be the same', () => {
  expect(labelsOf(['SPY', 'AGG?FB=TLT', 'UPRO?E=0.9&FB=SPY?L=3'])).toEqual(['SPY', 'AGG', 'UPRO?E=0.9'])
  expect(labelsOf(['GLD', 'GLD?FB=SPY'])).toEqual(['GLD', 'GLD?FB=SPY'])
})
