import { describe, expect, it } from 'vitest'
import { tellShare } from '../../../../scripts/campaign-seeds.ts'
import { claim, hasShared } from '../../../../scripts/shared-data.ts'
import { driftingWalks, earnedLessThanHolding, realStock, searchTiming } from './test-support/holding-study.ts'

const pathOf = (ticker: string) => `data/equities/daily/${ticker}.csv`

// Seeds 1 to 40.
it.each([
  ['drift upwards', 0.15],
  ['fall', -0.15],
])('is sure of at most 5 in 100 winners on walks that only %s', async (name, drift) => {
  let certain = 0
  for (let seed = 1; seed <= 40; seed++) {
    const report = await searchTiming('TGT', driftingWalks(seed, drift), seed)
    if (report.luck.deflated.value! >= 0.95) certain++
    if (earnedLessThanHolding(report)) {
      expect([report.luck.holdOut.verdict, report.luck.summary.verdict]).not.toContain('good')
    }
  }
  tellShare(`walks that only ${name}: ${certain} of 40 winners reach 95%`)
  expect(certain).toBeLessThanOrEqual(2)
})

describe.each(['SPY', 'QQQ', 'MSFT', 'AAPL', 'AMZN', 'KO', 'IBM', 'IWM'])('on real prices of %s', (ticker) => {
  it.skipIf(!hasShared(pathOf(ticker)))(
    claim('a winner that earned less than holding is never called good', pathOf(ticker)),
    async () => {
      const report = await searchTiming(ticker, realStock(ticker), 1)
      const words = [report.luck.holdOut.verdict, report.luck.summary.verdict]
      if (earnedLessThanHolding(report)) expect(words).not.toContain('good')
      expect(report.luck.summary.sentence).not.toBe('')
    },
  )
})
