import { graded, type Judgement, unknown } from '../../optimizer/verdicts.ts'
import { medianOf, oneGo, signedPercent, skip } from '../check.ts'
import type { BoardMaterial } from '../material.ts'
import { figuresOf, replay } from '../replay.ts'

/** Sessions by which the day may come later without meeting the next one. */
const SHIFTS = { weekly: 4, monthly: 20, quarterly: 20, yearly: 20 } as const

/** Differences below this are rounding. */
const NOTHING = 1e-9

export const rebalanceShifts = (frequency: string): number => SHIFTS[frequency as keyof typeof SHIFTS] ?? 0

export const rebalanceDaysCheck = oneGo({
  key: 'rebalance-days',
  label: 'Rebalance day',
  explain:
    'Rebalances, or checks the rules, some sessions later than the calendar says. Any day would have been as good a choice, so ' +
    'the median of all is a fairer figure than the one day of the run.',
  whyNot: (material) => {
    if (material.kind === 'rules') {
      return material.laterChecks.length > 0
        ? undefined
        : 'the rules are checked at every bar, so there is no day to choose'
    }
    const { rebalanceFrequency } = material.conditions.settings
    return rebalanceShifts(rebalanceFrequency) > 0 ? undefined : 'the account is not rebalanced on a certain day'
  },
  find({ material, figures }) {
    const shifted = cagrsByShift(material).filter(({ cagr }) => cagr !== null)
    if (figures.cagr === null || shifted.length === 0) return skip('the run has no annual return')
    if (shifted.every(({ cagr }) => Math.abs(cagr! - figures.cagr!) < NOTHING))
      return skip('there is nothing to rebalance')
    const all = [figures.cagr, ...shifted.map(({ cagr }) => cagr!)]
    const median = medianOf(all)
    return {
      judgement: judgeDay(figures.cagr, all, median),
      summary: `Annual return by the day: ${signedPercent(Math.min(...all))} to ${signedPercent(Math.max(...all))}, median ${signedPercent(median)}.`,
      figures: [{ label: 'Median of all days', unit: 'percent', value: median }],
      details: {
        kind: 'dots',
        unit: 'percent',
        dots: [
          { label: 'as run', value: figures.cagr, isBase: true },
          ...shifted.map(({ label, cagr }) => ({ label, value: cagr, isBase: false })),
        ],
        median,
      },
    }
  },
})

function cagrsByShift(material: BoardMaterial): { label: string; cagr: number | null }[] {
  if (material.kind === 'rules') {
    return material.laterChecks.map(({ label, tape }) => ({
      label,
      cagr: figuresOf(material, replay(material, { tape })).cagr,
    }))
  }
  const most = rebalanceShifts(material.conditions.settings.rebalanceFrequency)
  return Array.from({ length: most }, (_, i) => ({
    label: `${i + 1} later`,
    cagr: figuresOf(material, replay(material, { rebalanceShift: i + 1 })).cagr,
  }))
}

/** Judges by what the day of the run was worth, in annual return. */
function judgeDay(own: number, all: readonly number[], median: number): Judgement {
  if (all.length < 3) return unknown('there are too few days to compare')
  const value = own - median
  const worse = all.filter((one) => one < own).length
  return {
    ...graded(value, value <= 0.005, value <= 0.02, [
      'The day hardly matters',
      'The day matters',
      'It depends on the day',
    ]),
    sentence: `The day of the run earned ${signedPercent(own)} a year, more than ${worse} of ${all.length - 1} other days; the median is ${signedPercent(median)}.`,
  }
}
