import { expect, it } from 'vitest'
import { firstSeed, tellShare } from '../../../../scripts/campaign-seeds.ts'
import { claim, hasShared, numbers, readSharedCsv } from '../../../../scripts/shared-data.ts'
import { quantileOfSorted } from '../performance/statistics.ts'
import { drawPaths, followPaths, outlookOf, type PathPlan } from './paths.ts'

/** Prices of R. J. Shiller by the month: US stocks, prices of goods and the yield of ten-year bonds, 1871 to 2023. */
const FILE = 'data/long_history/shiller_sp500_monthly.csv'
const PATHS = 400
/** Retirements begin twice a year. */
const STEP_MONTHS = 6
const RETIREMENT_MONTHS = 360

interface Month {
  readonly stocks: number
  readonly bonds: number
}

/** By month: what one dollar became, in today's prices. */
function realMonths(): Month[] {
  const csv = readSharedCsv(FILE)
  const [prices, dividends, goods, rates] = ['sp500', 'dividend', 'cpi', 'long_rate'].map((name) => numbers(csv[name]))
  const rows = Array.from(prices!, (price, i) => ({
    price,
    dividend: dividends![i]!,
    goods: goods![i]!,
    rate: rates![i]! / 1200,
  })).filter(({ dividend, goods: level, rate }) => dividend > 0 && level > 0 && rate > 0)
  return rows.slice(1).map((row, i) => {
    const before = rows[i]!
    const goods = row.goods / before.goods
    // A bond of ten years at par, with a coupon a month, sold a month later.
    const left = (1 + row.rate) ** -119
    return {
      stocks: (row.price + row.dividend / 12) / before.price / goods,
      bonds: (before.rate + (before.rate * (1 - left)) / row.rate + left) / goods,
    }
  })
}

const planOf = (gross: Float64Array): PathPlan => ({
  months: gross.length,
  assets: 1,
  gross,
  prices: gross.map(() => 1),
  isReal: true,
  isShort: false,
  weights: Float64Array.of(1),
  isTraded: Uint8Array.of(1),
  rebalanceMonths: 0,
  costRate: 0,
  startValue: 1,
  flow: 0,
  flowMonths: 12,
  flowKind: 'dollars',
})

/** What could really be taken a year for the 30 years that begin with this month. */
function lasted(gross: Float64Array, from: number): number {
  const plan = planOf(gross.subarray(from, from + RETIREMENT_MONTHS))
  const inOrder = Int32Array.from({ length: RETIREMENT_MONTHS }, (_, month) => month)
  return 12 * followPaths(plan, 1, () => inOrder).withdrawals[0]!
}

const statedBy = (plan: PathPlan, seed: number, outlook = outlookOf(plan)): number =>
  12 * quantileOfSorted(drawPaths(plan, PATHS, seed, outlook).withdrawals.sort(), 0.05)

/** The months as they were, as if their mean were known. */
const CERTAIN = { ownMean: 0, volatility: 0, mean: 0, meanError: 0, startError: 0 }

/**
 * 95 in 100 retirements should last. Retirements of 112 years overlap: there are hardly four separate ones, and of four with 5% each up to one
 * fails in 98 of 100 worlds.
 */
const MAX_FAILED = 0.25

it.skipIf(!hasShared(FILE)).each([
  ['stocks', 1],
  ['60% stocks, 40% bonds', 0.6],
  ['20% stocks, 80% bonds', 0.2],
  ['bonds', 0],
])(claim('states withdrawals that lasted in history: %s', FILE), (name, share) => {
  const gross = Float64Array.from(realMonths(), ({ stocks, bonds }) => share * stocks + (1 - share) * bonds)
  for (const years of [10, 20, 30]) {
    const count = { retirements: 0, failed: 0, failedIfCertain: 0 }
    const stated: number[] = []
    for (let from = 12 * years; from + RETIREMENT_MONTHS <= gross.length; from += STEP_MONTHS) {
      const plan = planOf(gross.subarray(from - 12 * years, from))
      const could = lasted(gross, from)
      const amount = statedBy(plan, firstSeed + from)
      stated.push(amount)
      count.retirements++
      if (amount > could) count.failed++
      if (statedBy(plan, firstSeed + from, CERTAIN) > could) count.failedIfCertain++
    }
    const sorted = Float64Array.from(stated).sort()
    const percent = (part: number) => `${(100 * part).toFixed(1)}%`
    const ofAll = (part: number) => percent(part / count.retirements)
    const range = `${percent(sorted[0]!)} to ${percent(sorted.at(-1)!)} (median ${percent(quantileOfSorted(sorted, 0.5))})`
    tellShare(
      `${name}, a record of ${years} years, ${count.retirements} retirements: ${ofAll(count.failed)} failed at ${range}; ` +
        `with the months as they were ${ofAll(count.failedIfCertain)}`,
    )
    expect(count.failed / count.retirements).toBeLessThanOrEqual(MAX_FAILED)
    expect(quantileOfSorted(sorted, 0.5)).toBeGreaterThan(0.02)
  }
})

const QQQ = 'data/equities/daily/QQQ.csv'

it.skipIf(!hasShared(QQQ))(claim('states no withdrawal of one good decade', QQQ), () => {
  const csv = readSharedCsv(QQQ)
  const total = numbers(csv['adj_close'] ?? csv['Adj Close'])
  const dates = csv['date'] ?? csv['Date']!
  const ends = dates.flatMap((date, i) => {
    const isEnd = date.slice(0, 7) !== dates[i + 1]?.slice(0, 7)
    return isEnd && date >= '2009-12' && date < '2020' ? [total[i]!] : []
  })
  const gross = Float64Array.from(ends.slice(1), (value, i) => value / ends[i]!)
  const plan = { ...planOf(gross), isReal: false }
  const [stated, certain] = [statedBy(plan, firstSeed), statedBy(plan, firstSeed, CERTAIN)]
  tellShare(
    `QQQ, 2010 to 2019, in dollars: ${(100 * stated).toFixed(1)}% a year; with the months as they were ${(100 * certain).toFixed(1)}%`,
  )
  expect(stated).toBeLessThan(0.06)
})
