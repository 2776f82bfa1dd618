import { describe, expect, it } from 'vitest'
import { toRows } from './allocation-rows.ts'
import { leverAll, leverageHint, leveragedTicker, sharedLeverage, splitLeverage } from './leverage.ts'

describe('the leverage of a ticker', () => {
  it('is written as ?L=n [BT-116]', () => {
    expect(leveragedTicker(' spy ', 2)).toBe('SPY?L=2')
    expect(leveragedTicker('spy', '-1.5')).toBe('SPY?L=-1.5')
    expect(leveragedTicker('spy', 1)).toBe('SPY')
    expect(leveragedTicker('spy', '')).toBe('SPY')
    expect(leveragedTicker('spy', undefined)).toBe('SPY')
    expect(leveragedTicker('spy', '-')).toBe('SPY')
    expect(leveragedTicker('qqq?l=3', 2)).toBe('QQQ?L=3')
    expect(leveragedTicker(' ', 2)).toBe('')
  })

  it('comes back to its own field, unless the ticker says more', () => {
    expect(splitLeverage('SPY?L=2')).toEqual({ ticker: 'SPY', leverage: 2 })
    expect(splitLeverage('SPY?L=-0.5')).toEqual({ ticker: 'SPY', leverage: -0.5 })
    expect(splitLeverage('SPY')).toEqual({ ticker: 'SPY' })
    expect(splitLeverage('SPY?L=2&E=0.9')).toEqual({ ticker: 'SPY?L=2&E=0.9' })
    const rows = [
      { ticker: 'SPY?L=2', allocation: 60 },
      { ticker: 'TLT', allocation: 40 },
    ]
    expect(toRows(rows)).toEqual([
      { key: 0, ticker: 'SPY', leverage: 2, allocation: 60 },
      { key: 1, ticker: 'TLT', allocation: 40 },
    ])
  })
})

describe('the leverage of a portfolio', () => {
  const rows = toRows([
    { ticker: 'SPY', allocation: 55 },
    { ticker: 'TLT', allocation: 35 },
    { ticker: 'CASHX', allocation: 5 },
    { ticker: 'TBILLX', allocation: 5 },
  ])

  it('is that of each of its rows, cash and bills apart', () => {
    const levered = leverAll(rows, 2)
    expect(levered.map(({ ticker, leverage }) => leveragedTicker(ticker, leverage))).toEqual([
      'SPY?L=2',
      'TLT?L=2',
      'CASHX',
      'TBILLX',
    ])
    expect(sharedLeverage(levered)).toBe(2)
    expect(sharedLeverage(rows)).toBe('')
  })

  it('has no single value where the rows differ', () => {
    expect(sharedLeverage(toRows([{ ticker: 'SPY?L=2', allocation: 50 }, rows[1]!]))).toBeUndefined()
  })

  it('leaves a leverage alone that is in the ticker, and says where it is', () => {
    const typed = [{ key: 0, ticker: 'spy?L=2', allocation: 100 }]
    expect(leverAll(typed, 3)).toEqual(typed)
    expect(leverageHint(typed)).toBe('The leverage of SPY?L=2 is part of the ticker; change it there.')
  })

  it('is explained once there is any', () => {
    expect(leverageHint(rows)).toBeNull()
    expect(leverageHint(leverAll(rows, 1))).toBeNull()
    expect(leverageHint(leverAll(rows, 3))).toContain('reset daily')
  })
})
