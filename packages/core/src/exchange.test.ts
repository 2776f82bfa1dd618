import { expect, it } from 'vitest'
import { foreignExchangeOf, refuseForeignExchanges } from './exchange.ts'

it.each([
  ['VOD.L', 'London'],
  ['SAP.DE', 'Xetra'],
  ['7203.T', 'Tokyo'],
  ['0700.HK', 'Hong Kong'],
  ['SHOP.TO', 'Toronto'],
  ['BT-A.L', 'London'],
  ['VOD.LSE', 'London'],
  ['SAP.XETRA', 'Xetra'],
  ['7203.JP', 'Tokyo'],
])('%s is listed in %s', (symbol, place) => {
  expect(foreignExchangeOf(symbol)).toBe(place)
})

it.each(['SPY', 'BRK.B', 'BRK-B', 'BF.A', '^GSPC', 'EURUSD=X', 'BTC-USD', 'FRED:DGS10', 'GC=F', 'CASHX', 'T', 'L'])(
  '%s is none of another exchange',
  (symbol) => {
    expect(foreignExchangeOf(symbol)).toBeUndefined()
  },
)

it('names the ticker, its place and what helps', () => {
  expect(() => refuseForeignExchanges(['SPY', 'vod.l?L=2'])).toThrow(
    /^VOD\.L is listed outside the United States \(London\)\. .* listed in the United States can take its place\.$/,
  )
})
