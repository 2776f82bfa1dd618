import { cagr } from '../../performance/cagr.ts'
import { dailyReturns } from '../../performance/calendar-returns.ts'
import { isAvailable } from '../../performance/figure.ts'
import { growthOf } from '../../performance/returns.ts'
import { graded, unknown } from '../../optimizer/verdicts.ts'
import { oneGo, signedPercent, skip } from '../check.ts'

const MISSED = [0, 5, 10, 20, 30]
const MIN_DAYS = 250
/** The fraction of all days that is left out for the verdict: ten in twenty years. */
const JUDGED_SHARE = 10 / 5040

/** What is left when the best days were spent in cash. */
export function cagrsWithout(days: Int32Array, growth: Float64Array, counts: readonly number[]): (number | null)[] {
  const returns = dailyReturns(days, growth)
    .map((day) => day.return)
    .toSorted((a, b) => b - a)
  const whole = growth.at(-1)! || 0
  return counts.map((count) => {
    const best = returns.slice(0, count).reduce((product, earned) => product * (1 + earned), 1)
    const yearly = cagr(whole / best, days.at(-1)! - days[0]!)
    return isAvailable(yearly) ? yearly : null
  })
}

export const bestDaysCheck = oneGo({
  key: 'best-days',
  label: 'Without the best days',
  explain:
    'Leaves out the best days, as if they had been spent in cash. If a handful of days made the result, missing them ' +
    'would have cost it.',
  find({ material, base, figures }) {
    if (figures.sharpe === null) return skip('the strategy has no Sharpe ratio')
    const { days, growth } = base
    const sessions = dailyReturns(days, growth).length
    if (sessions < MIN_DAYS) return skip('the run is shorter than a year')
    const judgedCount = Math.max(1, Math.round(JUDGED_SHARE * sessions))
    const cagrs = cagrsWithout(days, growth, MISSED)
    const judged = cagrsWithout(days, growth, [judgedCount])[0] ?? null
    const free = material.riskFree ? growthOf(material.riskFree).at(-1)! : 1
    const riskFree = cagr(free, days.at(-1)! - days[0]!)
    const bills = isAvailable(riskFree) ? riskFree : 0
    return {
      judgement:
        judged === null
          ? unknown('there is no annual return')
          : {
              ...graded(judged, judged > bills, judged > 0, [
                'Does not depend on a few days',
                'Depends on a few days',
                'A few days made the result',
              ]),
              sentence: `Without its ${judgedCount} best days of ${sessions.toLocaleString('en-US')} it earned ${signedPercent(judged)} a year; the risk-free return was ${signedPercent(bills)}.`,
            },
      summary: 'Annual return without the best days of the run.',
      details: {
        kind: 'bars',
        unit: 'percent',
        bars: MISSED.map((count, i) => ({
          label: count === 0 ? 'all days' : `−${count}`,
          value: cagrs[i] ?? null,
          isBase: count === 0,
        })),
        line: { label: 'Risk-free', value: bills },
      },
    }
  },
})
