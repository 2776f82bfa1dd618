import type { TickerLookup } from '@tradewright/contract/tickers'
import { expect, it } from 'vitest'
import { historyNote, symbolsIn, equalPercentages, noteOf, refusalOf, typedSymbol, withSymbol } from './ticker-text.ts'

const known: TickerLookup = {
  ticker: 'SPY',
  name: 'S&P 500 ETF',
  state: 'available',
  provider: 'Yahoo Finance',
  data_since: '1993-01-29',
  sample: false,
}

it('searches for the symbol alone, and keeps leverage and other tickers when one is chosen', () => {
  expect(typedSymbol('sp?L=2', false)).toBe('sp')
  expect(withSymbol('sp?L=2', 'SPY', false)).toBe('SPY?L=2')
  expect(typedSymbol('TLT, gl', true)).toBe('gl')
  expect(withSymbol('TLT, gl', 'GLD', true)).toBe('TLT, GLD')
})

it('says name, first day and source', () => {
  expect(noteOf(known).text).toBe('S&P 500 ETF · data since 29 Jan 1993 · Yahoo Finance')
  expect(noteOf({ ...known, state: 'stored', provider: 'your CSV' }).text).toBe(
    'S&P 500 ETF · data since 29 Jan 1993 · your CSV',
  )
  expect(noteOf({ ...known, state: 'unchecked', data_since: '1962', provider: 'FRED' }).text).toBe(
    'S&P 500 ETF · data since 1962 · FRED',
  )
})

it('says before the run that there is no real data, and what would be used', () => {
  const missing = { ...known, state: 'missing' as const, name: null, data_since: null }
  expect(noteOf(missing)).toEqual({ text: 'Not found at Yahoo Finance', hasRealData: false, isWarning: true })
  expect(noteOf({ ...missing, sample: true }).text).toBe('Not found at Yahoo Finance: sample data would be used')
  expect(noteOf({ ...known, state: 'unreachable', sample: true }).text).toBe(
    'S&P 500 ETF · data since 29 Jan 1993 · Yahoo Finance cannot be reached: sample data would be used',
  )
  expect(noteOf({ ...known, state: 'missing', sample: true }).text).not.toContain('since')
})

it('says why a text is no ticker', () => {
  expect(refusalOf('SPY?L=2')).toBeUndefined()
  expect(refusalOf('SPY?L=')).toContain('L needs a number')
})

it.each([1, 3, 7, 30])('shares 100 percent among %i tickers', (count) => {
  const percentages = equalPercentages(count)
  expect(percentages).toHaveLength(count)
  expect(percentages.reduce((sum, one) => sum + one, 0)).toBeCloseTo(100, 9)
})

it('says what stands in for a ticker before it has prices', () => {
  expect(historyNote('SPY')).toBeNull()
  expect(historyNote('SPY?L=2')).toBeNull()
  expect(historyNote('tlt?fb=vustx?fb=dgs20?m=20')).toBe(
    'Before TLT has prices it is VUSTX, before that DGS20?M=20: joined by returns, marked in the result.',
  )
  expect(historyNote('DGS10?M=10')).toBe('A 10-year bond built from daily yields.')
  expect(historyNote('TLT?FB=')).toBeNull()
  expect(symbolsIn('TLT?L=2&FB=VUSTX?FB=DGS20?M=20')).toEqual(['TLT', 'VUSTX', 'DGS20'])
})
