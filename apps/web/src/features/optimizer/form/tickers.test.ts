import { expect, it } from 'vitest'
import { firstThree, parseTickers } from './form.ts'

it('splits on commas, trims, upper-cases and keeps each ticker once [LISTS-005, LISTS-011]', () => {
  expect(parseTickers(' spy,QQQ ,, spy , btc-usd')).toEqual(['SPY', 'QQQ', 'BTC-USD'])
  expect(parseTickers(' , ')).toEqual([])
})

it('shows the first three assets, then how many more [OPT-045]', () => {
  expect(firstThree(['A', 'B', 'C'])).toBe('A, B, C')
  expect(firstThree(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C +2 more')
})
