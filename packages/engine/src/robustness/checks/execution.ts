import { hasBlocks, isFixed, receivesSignals } from '@tradewright/core/strategy-kinds'
import { DEFAULT_COST_BPS } from '../../trading/costs.ts'
import {
  holdingBars,
  judgedCostMultiple,
  judgeKept,
  judgedDelay,
  oneGo,
  ratio,
  medianOf,
  signedPercent,
  skip,
} from '../check.ts'
import { figuresOf, replay, constantTape, type CurveFigures } from '../replay.ts'
import { graded, type Judgement, unknown, SUMMARY_WORDS } from '../../optimizer/verdicts.ts'
import type { BoardMaterial } from '../material.ts'

/** The yardstick of the optimizer: what an asset earns by itself is no merit of a signal. */
export const holdingCheck = oneGo({
  key: 'holding',
  label: 'Against holding',
  explain:
    'Always holds what the strategy trades, with the same costs. What an asset earns by itself is not the merit of a signal.',
  whyNot: ({ holding, kind }) => {
    if (holding) return undefined
    return receivesSignals({ kind })
      ? 'a list of allocations is not a single holding'
      : 'fixed percentages are held at all times'
  },
  find({ material, figures }) {
    const held = holdingFigures(material)
    const { name } = material.holding!
    const bar = (label: string, value: number | null, isBase: boolean) => ({ label, value, isBase })
    const reference = material.reference && referenceFigures(material)
    return {
      judgement: judgeHolding(figures, held, name),
      summary: `Annual return of the strategy, of ${name}${material.reference ? ` and of ${material.reference.name}` : ''}.`,
      details: {
        kind: 'bars',
        unit: 'percent',
        bars: [
          bar('Strategy', figures.cagr, true),
          bar('Holding', held.cagr, false),
          ...(material.reference && reference ? [bar(material.reference.name, reference.cagr, false)] : []),
        ],
        line: null,
      },
    }
  },
})

function holdingFigures(material: BoardMaterial): CurveFigures {
  const { settings, table } = material.conditions
  // Rules have no calendar of their own to go back to constant weights by.
  const rebalanceFrequency = material.rebalances ? settings.rebalanceFrequency : ('monthly' as const)
  const held = {
    ...material,
    rebalances: true,
    conditions: { ...material.conditions, settings: { ...settings, rebalanceFrequency } },
  }
  return figuresOf(held, replay(held, { tape: constantTape(material.holding!.weights, table.prices.days.length) }))
}

function judgeHolding(own: CurveFigures, held: CurveFigures, name: string): Judgement {
  if (own.cagr === null || held.cagr === null) return unknown('there is no annual return to compare')
  const sentence =
    `It earned ${signedPercent(own.cagr)} a year at a Sharpe ratio of ${own.sharpe === null ? 'n/a' : ratio(own.sharpe)}; ` +
    `${name} earned ${signedPercent(held.cagr)} at ${held.sharpe === null ? 'n/a' : ratio(held.sharpe)}.`
  const value = own.cagr - held.cagr
  if (value > 0) return { value, verdict: 'good', words: 'Beats holding', sentence }
  return (own.sharpe ?? 0) > (held.sharpe ?? 0)
    ? { value, verdict: 'caution', words: 'Less return than holding, at less risk', sentence }
    : { value, verdict: 'bad', words: SUMMARY_WORDS.noMoreThanHolding, sentence }
}

/** Figures of the reference on the bars at which it has a price. */
function referenceFigures(material: BoardMaterial): CurveFigures | undefined {
  const { reference } = material
  if (!reference) return undefined
  const fromBar = reference.growth.findIndex((value) => value > 0)
  if (fromBar < 0) return undefined
  const days = material.conditions.table.prices.days.subarray(fromBar)
  const growth = reference.growth.subarray(fromBar)
  return figuresOf(material, { days, growth: growth.map((value) => value / growth[0]!), fromBar })
}

const MULTIPLES = [1, 2, 5]

export const costsCheck = oneGo({
  key: 'costs',
  label: 'If trading costs more',
  explain:
    'Trades the same decisions at two and five times the cost. Spreads and fees are rarely what was assumed. A strategy that holds for 20 bars ' +
    'or more is judged at five times the cost, one that holds for 8 or less at twice.',
  find({ material, figures }) {
    const { tradingCostBps, commission } = material.conditions.settings
    const isFree = tradingCostBps === 0 && commission === 0
    const own = isFree ? DEFAULT_COST_BPS : tradingCostBps
    const judgedMultiple = judgedCostMultiple(material.tape)
    const multiples = [...new Set([...MULTIPLES, judgedMultiple])].sort((a, b) => a - b)
    const runs = multiples.map((multiple) => {
      const varied = replay(material, { costBps: own * multiple, costMultiple: multiple })
      const { cagr, sharpe } = figuresOf(material, varied)
      return { multiple, cagr, sharpe }
    })
    const reference = referenceFigures(material)
    const judged = runs.find(({ multiple }) => multiple === judgedMultiple)!
    const holding = Number(holdingBars(material.tape).toPrecision(2))
    const label = (multiple: number) => `${Number((own * multiple).toPrecision(4))} bps`
    const when = `at ${judgedMultiple} times the cost (${label(judgedMultiple)}${isFixed(material) ? '' : `; it holds for ${holding} bars on average`})`
    return {
      judgement: judgeKept(figures.sharpe, judged.sharpe, when, [
        'Survives higher costs',
        'Sensitive to costs',
        'Loses its return to costs',
      ]),
      summary: isFree
        ? `Annual return. The run itself had no costs; ${DEFAULT_COST_BPS} bps is the usual assumption.`
        : 'Annual return at one, two and five times the cost.',
      details: {
        kind: 'bars',
        unit: 'percent',
        bars: [
          ...(isFree ? [{ label: 'free', value: figures.cagr, isBase: true }] : []),
          ...runs.map(({ multiple, cagr }) => ({
            label: label(multiple),
            value: cagr,
            isBase: !isFree && multiple === 1,
          })),
        ],
        line:
          reference?.cagr !== null && reference !== undefined
            ? { label: material.reference!.name, value: reference.cagr }
            : null,
      },
    }
  },
})

const DELAYS = [0, 1, 2, 5, 10]
/**
 * The fraction of the Sharpe ratio that must be left a bar late; with less, the sentence says that orders have to be on
 * time.
 */
const LEFT_A_BAR_LATE = 0.5

const barsInWords = (bars: number): string => `${bars} ${bars === 1 ? 'bar' : 'bars'}`

export const delayCheck = oneGo({
  key: 'delay',
  label: 'If orders come late',
  explain:
    'Executes every decision some bars later. Judged at a twentieth of the time that the strategy holds what it holds, at most one ' +
    'bar: below a bar, that part of each order is filled a bar late. A slow result that needs the very next price is not tradable.',
  whyNot: ({ kind }) => (isFixed({ kind }) ? 'fixed percentages give no signals that could come late' : undefined),
  find({ material, figures }) {
    const judgedBars = judgedDelay(material.tape)
    const delays = [...new Set([...DELAYS, judgedBars])].sort((a, b) => a - b)
    const runs = delays.map((bars) => {
      const { cagr, sharpe } = figuresOf(material, replay(material, { delayBars: bars }))
      return { bars, cagr, sharpe }
    })
    const sharpeAt = (delay: number) => runs.find(({ bars }) => bars === delay)!.sharpe
    const judgement = judgeKept(
      figures.sharpe,
      sharpeAt(judgedBars),
      `when orders come ${barsInWords(judgedBars)} late (it holds for ${barsInWords(Number(holdingBars(material.tape).toPrecision(2)))} on average)`,
      ['Survives late orders', 'Sensitive to late orders', 'Needs immediate orders'],
    )
    const barLate = sharpeAt(1)
    const isFast = figures.sharpe !== null && barLate !== null && barLate < LEFT_A_BAR_LATE * figures.sharpe
    return {
      judgement:
        isFast && judgedBars < 1 && judgement.value !== null
          ? {
              ...judgement,
              sentence: `${judgement.sentence} A whole bar late leaves ${ratio(barLate)}: orders have to be on time.`,
            }
          : judgement,
      summary: 'Annual return when every decision is carried out some bars later.',
      details: {
        kind: 'bars',
        unit: 'percent',
        bars: runs.map(({ bars, cagr }) => ({
          label: bars === 0 ? 'as run' : barsInWords(bars),
          value: cagr,
          isBase: bars === 0,
        })),
        line: null,
      },
    }
  },
})

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
    if (hasBlocks(material)) {
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
  if (hasBlocks(material)) {
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
