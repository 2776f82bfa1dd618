import { describe, expect, it } from 'vitest'
import { claim, hasShared } from '../../../../scripts/shared-data.ts'
import { driftingWalks, earnedLessThanHolding, realStock, searchTiming } from './test-support/holding-study.ts'

const SPY = 'data/equities/daily/SPY.csv'

// Seeds 1 to 6; `npm run campaign` takes 40 and more stocks.
describe('a search on walks that only drift upwards', () => {
  it('does not credit the drift to the winner', async () => {
    const reports = []
    for (let seed = 1; seed <= 6; seed++) reports.push(await searchTiming('TGT', driftingWalks(seed), seed))
    const certain = reports.filter(({ luck }) => luck.deflated.value! >= 0.95)
    expect(certain.length).toBeLessThanOrEqual(1)
    const poorer = reports.filter(earnedLessThanHolding)
    expect(poorer.length).toBeGreaterThan(0)
    for (const { luck } of poorer) {
      expect(luck.holdOut.verdict).not.toBe('good')
      expect(luck.summary.words).toBe('Earned no more than holding')
    }
  })

  it('puts holding beside the winner, over the same bars', async () => {
    const { details } = await searchTiming('TGT', driftingWalks(1), 1)
    for (const { days, winner, holding } of [details.curves.test, details.curves.holdOut!]) {
      expect([winner[0], holding[0]]).toEqual([1, 1])
      expect(winner.length).toBe(days.length)
      expect(holding.length).toBe(days.length)
    }
    const { days, holding } = details.curves.holdOut!
    const years = (days.at(-1)! - days[0]!) / 365.25
    expect(holding.at(-1)! ** (1 / years) - 1).toBeCloseTo(details.holdOut!.holding.cagr!, 10)
  })
})

describe('a search on real prices', () => {
  it.skipIf(!hasShared(SPY))(claim('never calls a winner good that earned less than holding SPY', SPY), async () => {
    const report = await searchTiming('SPY', realStock('SPY'), 1)
    expect(earnedLessThanHolding(report)).toBe(true)
    expect(report.luck.holdOut.verdict).not.toBe('good')
    expect(report.luck.summary.verdict).not.toBe('good')
  })
})
