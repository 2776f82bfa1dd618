import { civilDate } from '@tradewright/core/time'
import { cagr } from '../../performance/cagr.ts'
import { isAvailable } from '../../performance/figure.ts'
import { growthOf } from '../../performance/returns.ts'
import { graded, percent } from '../../optimizer/verdicts.ts'
import { type CheckContext, medianOf, oneGo, signedPercent, skip } from '../check.ts'
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
