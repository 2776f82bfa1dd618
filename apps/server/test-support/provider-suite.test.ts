import { ManualClock } from '@tradewright/core/clock'
import { dateOf, dayStamp } from '@tradewright/core/time'
import { sampleMarket } from '@tradewright/engine/market/sample/sample-market'
import { sampleProvider } from '@tradewright/engine/market/sample/sample-provider'
import { providerSuite } from './provider-suite.ts'
import { testNow } from './test-surroundings.ts'

const market = sampleMarket()

providerSuite(
  'sample',
  async () => ({
    provider: sampleProvider(new ManualClock(new Date(testNow)), market),
    tickers: ['SPY', 'BTC-USD'],
    unknownTicker: 'NOSUCH',
    range: { from: dayStamp(dateOf('2024-01-02')), to: dayStamp(dateOf('2025-01-02')) },
    now: Date.parse(testNow),
    close: async () => undefined,
  }),
  false,
)
