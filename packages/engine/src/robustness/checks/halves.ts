import { graded, unknown } from '../../optimizer/verdicts.ts'
import { formatDate } from '@tradewright/core/time'
import { oneGo, ratio, skip } from '../check.ts'
import { figuresOf } from '../replay.ts'

const MIN_YEARS = 2

export const halvesCheck = oneGo({
  key: 'halves',
  label: 'Both halves',
  explain: 'Measures the first and the second half of the run separately. An effect that was always there is in both.',
  find({ material, base }) {
    const { barsPerYear, prices } = material.conditions.table
    const { days, growth } = base
    if (days.length < MIN_YEARS * barsPerYear) return skip(`the run is shorter than ${MIN_YEARS} years`)
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
