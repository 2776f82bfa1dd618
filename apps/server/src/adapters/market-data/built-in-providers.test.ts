import { parseTicker } from '@tradewright/core/ticker'
import { expect, it } from 'vitest'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { readConfig } from '../../config.ts'
import { builtInProviders } from './built-in-providers.ts'

it('has a provider for every kind of ticker that has a vendor', () => {
  const providers = builtInProviders(readConfig({}), testSurroundings())
  const serving = (ticker: string) =>
    providers.filter((provider) => provider.serves(parseTicker(ticker))).map(({ id }) => id)
  expect(serving('SPY')).toEqual(['yahoo'])
  expect(serving('^GSPC')).toEqual(['yahoo'])
  expect(serving('BTC-USD')).toEqual(['yahoo', 'coinbase'])
  expect(serving('BTC-FR')).toEqual(['coinalyze'])
  expect(serving('CPIAUCSL')).toEqual(['fred'])
  expect(serving('CASHX')).toEqual([])
})
