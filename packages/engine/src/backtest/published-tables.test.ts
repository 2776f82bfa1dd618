import type { RebalanceFrequency } from '@tradewright/core/backtest-settings'
import { dateOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, sharedCases } from '../../../../scripts/shared-data.ts'
import { valueOf } from '../performance/figure.ts'
import { planBacktest } from './plan.ts'
import type { BacktestResult } from './result.ts'
import { runBacktest } from './run-backtest.ts'
import { realData } from './test-support/market-files.ts'
import { allocationRequest } from './test-support/requests.ts'

const tables = 'data/reference/portfolio_tables_published.json'

interface PublishedCase {
  id: string
  start: string
  end: string
  rebalancing: 'annual' | 'quarterly' | 'monthly' | 'none'
  initial_balance: number
  weights_pct: Record<string, number>
  contribution?: { amount: number; frequency: 'annual' | 'monthly'; inflation_adjusted: boolean }
  published: Record<string, number>
}

const FREQUENCY: Record<PublishedCase['rebalancing'], RebalanceFrequency> = {
  annual: 'yearly',
  quarterly: 'quarterly',
  monthly: 'monthly',
  none: 'none',
}

const firstDayAfter = (month: string) => {
  const [year, number] = month.split('-').map(Number)
  return dateOf(number === 12 ? `${year! + 1}-01-01` : `${year}-${String(number! + 1).padStart(2, '0')}-01`)
}

/** What a user of the Studio would enter: the page counts the first session of its first month. */
function asked({ start, end, rebalancing, initial_balance, weights_pct, contribution }: PublishedCase) {
  const weights = Object.entries(weights_pct).map(([ticker, pct]) => [ticker === 'CASHX' ? 'TBILLX' : ticker, pct])
  return allocationRequest(Object.fromEntries(weights), {
    from: dateOf(`${start}-01`),
    includeFirstReturn: true,
    to: firstDayAfter(end) - 1,
    startValue: initial_balance,
    rebalanceFrequency: FREQUENCY[rebalancing],
    tradingCostBps: 0,
    ...(contribution && {
      cashflow: contribution.amount,
      cashflowFrequency: contribution.frequency === 'monthly' ? 'monthly' : 'yearly',
      adjustInflation: contribution.inflation_adjusted,
    }),
  })
}

/** The figures that the result shows under the same names. In real dollars only the end value is comparable. */
function shown({ curve, metrics, settings }: BacktestResult): Record<string, number> {
  const end = { final_balance: curve.nominalValues.at(-1)! }
  if (settings.adjustInflation) return end
  return {
    ...end,
    [settings.cashflow === 0 ? 'cagr_pct' : 'twrr_pct']: valueOf(metrics.cagr) * 100,
    best_year_pct: metrics.bestYear!.return * 100,
    worst_year_pct: metrics.worstYear!.return * 100,
    stdev_pct: valueOf(metrics.monthEnd.volatility) * 100,
    max_drawdown_pct: metrics.monthEnd.maxDrawdown * 100,
    sharpe: valueOf(metrics.monthEnd.sharpe),
    sortino: valueOf(metrics.monthEnd.sortino),
  }
}

/** Percentage points where nothing else is said; a fraction of the balance. */
const TOLERANCE: Record<string, number> = { final_balance: 0.01, sharpe: 0.02, sortino: 0.02 }

/** A page may hold less than no cash; here money is borrowed at what a broker charges, which is more. */
const cases = sharedCases<PublishedCase>(tables, ({ weights_pct }) =>
  Object.values(weights_pct).every((pct) => pct >= 0),
)

describe.skipIf(!hasShared(tables))(claim('a backtest with the settings of a published page', tables), () => {
  it.each(cases)('$id shows its figures within a quarter of a percentage point', async (published) => {
    const request = asked(published)
    const tickers = Object.keys(published.weights_pct).filter((ticker) => ticker !== 'CASHX')
    const data = realData(tickers, ['TB3MS', 'FEDFUNDS', 'CPIAUCNS'])
    const ours = shown(await runBacktest(planBacktest(request), data))
    for (const [name, value] of Object.entries(ours)) {
      const theirs = published.published[name]
      if (theirs === undefined) continue
      const difference = Math.abs(value - theirs) / (name === 'final_balance' ? theirs : 1)
      expect(difference, `${name}: ours ${value}, theirs ${theirs}`).toBeLessThanOrEqual(TOLERANCE[name] ?? 0.25)
    }
  })
})
