import { expect, it } from 'vitest'
import { expectNear } from '../../../../reference/expect-near.ts'
import { referenceMarket, referencePrices, referenceValues } from '../../../../reference/read.ts'
import { allocationRequest } from '../backtest/test-support/requests.ts'
import { quantileOfSorted } from '../performance/statistics.ts'
import { simpleReturns } from '../performance/returns.ts'
import { resampledFigures, followPaths, pathPlan, POINTS } from './paths.ts'
import { cagrsWithout } from './checks/periods.ts'
import { prepareBoard } from './prepare.ts'

/** Values that reference/robustness.py computed by numpy and pandas. */
interface Reference {
  months: number
  paths: (Record<
    'flow' | 'flow_months' | 'rebalance_months' | 'loss' | 'ruin' | 'safe_withdrawal' | 'median_drawdown',
    number
  > & { bands: number[][] })[]
  resampled: Record<'sharpe' | 'log_growth', number>
  best_days: [count: number, cagr: number][]
}

const reference = referenceValues<Reference>('robustness')
const PATHS = 400
const FREQUENCIES = { 1: 'monthly', 3: 'quarterly', 12: 'yearly' } as const
const MIX = { SPY: 30, TLT: 25, GLD: 20, EFA: 15, VNQ: 10 }

it.each(reference.paths)('follows paths with a flow of $flow as numpy does', (theirs) => {
  const request = allocationRequest(MIX, {
    tradingCostBps: 5,
    // Dividends that are paid in cash are reinvested by the month on a path.
    reinvestDividends: false,
    cashflow: theirs.flow,
    cashflowFrequency: FREQUENCIES[theirs.flow_months as 1 | 3 | 12],
    rebalanceFrequency: FREQUENCIES[theirs.rebalance_months as 1 | 3 | 12],
  })
  const { material } = prepareBoard(request, referenceMarket(Object.keys(MIX)), undefined, 1)
  const plan = pathPlan(material)
  expect(plan.months).toBe(reference.months)
  const drawn = new Int32Array(360)
  const ours = followPaths(plan, PATHS, (path) =>
    drawn.map((_, month) => (7 * path * path + 13 * month + 5 * Math.floor(month / 12) * path) % plan.months),
  )
  const at = (point: number) => ours.values.slice(point * PATHS, (point + 1) * PATHS)
  for (const [i, point] of [0, 4, 40, 120].entries()) {
    const sorted = at(point).sort()
    for (const [j, share] of [0.05, 0.25, 0.5, 0.75, 0.95].entries()) {
      expectNear(quantileOfSorted(sorted, share), theirs.bands[i]![j]!, `band ${share} at point ${point}`)
    }
  }
  const lost = at(POINTS - 1).filter((value, path) => value < 10_000 + ours.netFlows[PATHS + path]!).length
  expectNear(lost / PATHS, theirs.loss, 'loss')
  expectNear(ours.ruinMonths.filter((month) => month > 0).length / PATHS, theirs.ruin, 'ruin')
  expectNear(12 * quantileOfSorted(ours.withdrawals.sort(), 0.05), theirs.safe_withdrawal, 'safe withdrawal')
  expectNear(quantileOfSorted(ours.drawdowns.sort(), 0.5), theirs.median_drawdown, 'drawdown')
})

it('measures a resampled history as numpy does', () => {
  const returns = simpleReturns(referencePrices('SPY').columns['close']!)
  const rows = Int32Array.from(returns, (_, i) => (i * 37 + 11) % returns.length)
  const half = rows.length >> 1
  const drawn = Int32Array.of(...rows.subarray(0, half), ...rows.subarray(0, rows.length - half))
  const ours = resampledFigures(
    drawn,
    returns,
    returns.map((earned) => Math.log(1 + earned)),
  )
  expectNear(ours.sharpe, reference.resampled.sharpe, 'Sharpe ratio')
  expectNear(ours.logGrowth, reference.resampled.log_growth, 'growth')
})

it('leaves the best days out as pandas does', () => {
  const { days, columns } = referencePrices('SPY')
  const close = columns['close']!
  const growth = close.map((price) => price / close[0]!)
  const ours = cagrsWithout(
    days,
    growth,
    reference.best_days.map(([count]) => count),
  )
  reference.best_days.forEach(([count, theirs], i) => expectNear(ours[i]!, theirs, `without ${count} days`))
})
