import { civilDate, formatDate } from '@tradewright/core/time'
import { cagr, growthOf, dailyReturns } from '../../performance/returns.ts'
import { isAvailable } from '../../performance/figure.ts'
import { graded, percent, unknown } from '../../optimizer/verdicts.ts'
import { type CheckContext, medianOf, oneGo, signedPercent, skip, ratio } from '../check.ts'
import { figuresOf, replay } from '../replay.ts'

/** Shorter ones say little. */
const MIN_YEARS = 3
const MAX_STARTS = 40

export const startDatesCheck = oneGo({
  key: 'start-dates',
  label: 'Start date',
  explain:
    'Begins in every year (in every quarter of short runs) and goes on to the end, with what the strategy held then. One ' +
    'lucky start can make a whole result.',
  find(context) {
    const { material } = context
    if (context.figures.sharpe === null) return skip('the strategy has no Sharpe ratio')
    const starts = startBars(context)
    if (starts.length < 3) return skip(`the run is too short: a start needs ${MIN_YEARS} years after it`)
    const { days } = material.conditions.table.prices
    const own = starts.map((fromBar) => figuresOf(material, replay(material, { fromBar })).cagr)
    const yardstick = yardstickFrom(context)
    const compared = starts.map((bar) => yardstick.from(bar))
    const both = own.flatMap((value, i) =>
      value === null || compared[i] === null ? [] : [[value, compared[i]!] as const],
    )
    const ahead = both.filter(([value, other]) => value > other).length
    const share = both.length === 0 ? 0 : ahead / both.length
    const known = own.filter((value) => value !== null)
    return {
      judgement: {
        ...graded(share, share >= 0.8, share >= 0.5, [
          'Holds from most start dates',
          'Depends on the start date',
          'Fails from most start dates',
        ]),
        sentence: `It is ahead of ${yardstick.inWords} from ${ahead} of ${both.length} start dates (${percent(share)}).`,
      },
      summary: `Annual return from each start to the end: ${signedPercent(Math.min(...known))} to ${signedPercent(Math.max(...known))}, median ${signedPercent(medianOf(known))}.`,
      details: {
        kind: 'lines',
        unit: 'percent',
        labels: starts.map((bar) => {
          const { year, month } = civilDate(days[bar]!)
          return `${year}-${String(month).padStart(2, '0')}`
        }),
        lines: [
          { name: 'Strategy', values: own },
          { name: yardstick.name, values: compared },
          ...(material.reference
            ? [{ name: material.reference.name, values: starts.map((bar) => fromReference(context, bar)) }]
            : []),
        ],
      },
    }
  },
})

/** The first bars of years, or of quarters where there are few years. */
function startBars({ material }: CheckContext): number[] {
  const { days } = material.conditions.table.prices
  const last = days.at(-1)!
  const firsts = (months: number) => {
    const bars = [0]
    const periodOf = (bar: number) => {
      const { year, month } = civilDate(days[bar]!)
      return Math.floor((12 * year + month - 1) / months)
    }
    for (let bar = 1; bar < days.length; bar++) {
      if (days[bar] !== days[bar - 1] && periodOf(bar) !== periodOf(bar - 1)) bars.push(bar)
    }
    return bars.filter((bar) => last - days[bar]! >= 365.25 * MIN_YEARS)
  }
  const years = firsts(12)
  return (years.length >= 8 ? years : firsts(3)).slice(0, MAX_STARTS)
}

/** The risk-free return: what a strategy must earn to be worth its risk. */
function yardstickFrom({ material }: CheckContext) {
  const { days } = material.conditions.table.prices
  const growth = material.riskFree && growthOf(material.riskFree)
  const from = (bar: number): number | null => {
    if (!growth) return 0
    const yearly = cagr(growth.at(-1)! / growth[bar]!, days.at(-1)! - days[bar]!)
    return isAvailable(yearly) ? yearly : null
  }
  return growth
    ? { name: 'Risk-free', inWords: 'the risk-free return', from }
    : { name: 'Nothing (0%)', inWords: 'zero', from }
}

function fromReference({ material }: CheckContext, bar: number): number | null {
  const { days } = material.conditions.table.prices
  const { growth } = material.reference!
  if (!(growth[bar]! > 0)) return null
  const yearly = cagr(growth.at(-1)! / growth[bar]!, days.at(-1)! - days[bar]!)
  return isAvailable(yearly) ? yearly : null
}

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

const MIN_YEARS_TO_HALVE = 2

export const halvesCheck = oneGo({
  key: 'halves',
  label: 'Both halves',
  explain: 'Measures the first and the second half of the run separately. An effect that was always there is in both.',
  find({ material, base }) {
    const { barsPerYear, prices } = material.conditions.table
    const { days, growth } = base
    if (days.length < MIN_YEARS_TO_HALVE * barsPerYear)
      return skip(`the run is shorter than ${MIN_YEARS_TO_HALVE} years`)
    const middle = days.length >> 1
    const part = (from: number, to: number) => {
      const curve = growth.subarray(from, to)
      return figuresOf(material, {
        days: prices.days.subarray(from, to),
        growth: curve.map((value) => value / curve[0]!),
        fromBar: from,
      }).sharpe
    }
    const [first, second] = [part(0, middle + 1), part(middle, days.length)]
    const at = formatDate(days[middle]!)
    return {
      judgement:
        first === null || second === null
          ? unknown('a half has no Sharpe ratio')
          : {
              ...graded(Math.min(first, second), Math.min(first, second) > 0.2, Math.min(first, second) > 0, [
                'Both halves hold',
                'One half is weak',
                'One half fails',
              ]),
              sentence: `The Sharpe ratio is ${ratio(first)} up to ${at} and ${ratio(second)} after it.`,
            },
      summary: `Sharpe ratio up to ${at} and after it.`,
      details: {
        kind: 'bars',
        unit: 'ratio',
        bars: [
          { label: 'first half', value: first, isBase: false },
          { label: 'second half', value: second, isBase: false },
        ],
        line: null,
      },
    }
  },
})
