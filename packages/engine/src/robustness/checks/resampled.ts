import { isFixed } from '@tradewright/core/strategy-kinds'
import { Random } from '@tradewright/core/random'
import { graded, LUCK_WORDS, percent } from '../../optimizer/verdicts.ts'
import { quantileOfSorted } from '../../performance/statistics.ts'
import { excessReturns, simpleReturns } from '../../performance/returns.ts'
import {
  drawRows,
  resampledFigures,
  drawPaths,
  HORIZON_YEARS,
  MIN_MONTHS,
  outlookOf,
  type PathPlan,
  pathPlan,
  type PathResults,
  POINT_MONTHS,
  POINTS,
  RUIN_SHARE,
} from '../paths.ts'
import {
  type Check,
  signedPercent,
  skip,
  ratio,
  type CheckContext,
  type Found,
  type Details,
  type Unit,
} from '../check.ts'
import type { DecisionTape } from '../material.ts'
import { figuresOf, heldPlaces, replay } from '../replay.ts'

type Histogram = Extract<Details, { kind: 'histogram' }>

const BINS = 30

/** Counts of values in steps of equal width that also hold `actual`. */
function histogramOf(values: Float64Array, actual: number, unit: Unit, marked: Histogram['marked']): Histogram {
  let [low, high, sum] = [actual, actual, 0]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
    sum += value
  }
  const step = high > low ? (high - low) / BINS : 1
  const counts = Array.from({ length: BINS }, () => 0)
  for (const value of values) counts[Math.min(BINS - 1, Math.floor((value - low) / step))]!++
  return { kind: 'histogram', unit, from: low, step, counts, actual, mean: sum / values.length, marked }
}

const RESAMPLES_PER_PART = 250
/** A month, so that days of one storm mostly stay together. */
const BLOCKS_PER_YEAR = 12
const MIN_BARS = 60

interface Part {
  readonly sharpes: Float64Array
  readonly growths: Float64Array
}

/** Whether the return over the risk-free one can be told from nothing. */
export const bootstrapCheck: Check<Part | undefined> = {
  key: 'bootstrap',
  label: 'Luck of the period',
  explain:
    'Reassembles the history from blocks of about a month, many times, and asks how often nothing is earned over ' +
    'the risk-free return. A good record of a few years is often luck.',
  parts: ({ resamples }) => Math.ceil(resamples / RESAMPLES_PER_PART),
  run({ material, base, effort, seed }, part) {
    const returns = simpleReturns(base.growth)
    if (returns.length < MIN_BARS) return undefined
    const { barsPerYear } = material.conditions.table
    const excess = excessReturns(returns, material.riskFree ?? 0)
    // An account that lost everything has no logarithm; it lost very much.
    const logs = returns.map((earned) => Math.log(Math.max(1e-9, 1 + earned)))
    const count = Math.min(RESAMPLES_PER_PART, effort.resamples - part * RESAMPLES_PER_PART)
    const [sharpes, growths] = [new Float64Array(count), new Float64Array(count)]
    const random = new Random(seed)
    const drawn = new Int32Array(returns.length)
    for (let i = 0; i < count; i++) {
      drawRows(random, returns.length, Math.max(1, barsPerYear / BLOCKS_PER_YEAR), drawn)
      const { sharpe, logGrowth } = resampledFigures(drawn, excess, logs)
      sharpes[i] = sharpe * Math.sqrt(barsPerYear)
      growths[i] = Math.exp(logGrowth * barsPerYear) - 1
    }
    return { sharpes, growths }
  },
  join({ figures }, parts) {
    const known = parts.filter((part) => part !== undefined)
    if (known.length < parts.length) return skip(`the run has fewer than ${MIN_BARS} bars`)
    if (figures.sharpe === null) return skip('the strategy has no Sharpe ratio')
    const sharpes = joinedColumn(known.map((part) => part.sharpes)).sort()
    const growths = joinedColumn(known.map((part) => part.growths)).sort()
    const nothing = (1 + sharpes.filter((one) => one <= 0).length) / (1 + sharpes.length)
    const [low, high] = [0.05, 0.95].map((share) => quantileOfSorted(growths, share)) as [number, number]
    return {
      judgement: {
        ...graded(nothing, nothing <= 0.05, nothing <= 0.2, LUCK_WORDS),
        sentence: `In ${percent(nothing)} of the resampled histories nothing is earned over the risk-free return; 5% is the usual mark.`,
      },
      summary:
        `Sharpe ratio of ${sharpes.length.toLocaleString('en-US')} histories reassembled from blocks of a month. Nine in ten earn between ` +
        `${signedPercent(low)} and ${signedPercent(high)} a year.`,
      figures: [
        { label: 'Sharpe ratio, 5% to 95%, low end', unit: 'ratio', value: quantileOfSorted(sharpes, 0.05) },
        { label: 'Sharpe ratio, 5% to 95%, high end', unit: 'ratio', value: quantileOfSorted(sharpes, 0.95) },
      ],
      details: histogramOf(sharpes, figures.sharpe, 'ratio', { to: 0 }),
    }
  },
}

function joinedColumn(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const column of columns) {
    all.set(column, at)
    at += column.length
  }
  return all
}

const PERMUTATIONS_PER_PART = 25
/** With fewer stretches the shuffled histories are all alike. */
const MIN_STRETCHES = 4

/** Whether it matters when the strategy held what it held. */
export const permutedCheck: Check<Float64Array> = {
  key: 'permuted',
  label: 'Against shuffled signals',
  explain:
    'Shuffles the same holdings randomly over the same prices: as much time in each of them, as many trades, ' +
    'but at other times. Timing that knows something beats nearly all of these.',
  whyNot: ({ kind, tape }) => {
    if (isFixed({ kind })) return 'fixed percentages give no signals that could be shuffled'
    if (stretchesOf(tape).length < MIN_STRETCHES) return `what is held changed fewer than ${MIN_STRETCHES} times`
    return undefined
  },
  parts: ({ permutations }) => Math.ceil(permutations / PERMUTATIONS_PER_PART),
  run({ material, effort, seed }, part) {
    const random = new Random(seed)
    const count = Math.min(PERMUTATIONS_PER_PART, effort.permutations - part * PERMUTATIONS_PER_PART)
    return Float64Array.from({ length: count }, () => {
      const tape = shuffledTape(material.tape, random)
      return figuresOf(material, replay(material, { tape })).sharpe ?? 0
    })
  },
  join({ figures }, parts) {
    if (figures.sharpe === null) return skip('the strategy has no Sharpe ratio')
    const actual = figures.sharpe
    const sharpes = joinedColumn(parts)
    const better = sharpes.filter((one) => one >= actual).length
    const p = (1 + better) / (1 + sharpes.length)
    return {
      judgement: {
        ...graded(p, p <= 0.05, p <= 0.2, [
          'Timing is better than chance',
          'Timing may be chance',
          'Timing looks like chance',
        ]),
        sentence: `${better} of ${sharpes.length} shuffled histories reach the Sharpe ratio of ${ratio(actual)}: p = ${p.toFixed(3)}.`,
      },
      summary: `Sharpe ratio of ${sharpes.length} histories with the same holdings in random order.`,
      figures: [{ label: 'p-value', unit: 'ratio', value: p }],
      details: histogramOf(sharpes, actual, 'ratio', { from: actual }),
    }
  },
}

interface Stretch {
  readonly place: number
  readonly bars: number
}

/** Bars in a row with the same decision in force. */
function stretchesOf(tape: DecisionTape): Stretch[] {
  const held = heldPlaces(tape)
  const stretches: Stretch[] = []
  let from = 0
  for (let bar = 1; bar <= held.length; bar++) {
    if (bar < held.length && held[bar] === held[from]) continue
    stretches.push({ place: held[from]!, bars: bar - from })
    from = bar
  }
  return stretches
}

/** Fisher-Yates of the stretches, then turned on the circle of bars, so that few stretches have many arrangements. */
function shuffledTape(tape: DecisionTape, random: Random): DecisionTape {
  const stretches = stretchesOf(tape)
  for (let i = stretches.length - 1; i > 0; i--) {
    const other = random.below(i + 1)
    ;[stretches[i], stretches[other]] = [stretches[other]!, stretches[i]!]
  }
  const bars = tape.decisions.length
  const nothing = tape.weights.length
  const held = new Int32Array(bars)
  let at = random.below(bars)
  for (const { place, bars: length } of stretches) {
    for (let i = 0; i < length; i++) {
      held[at] = place < 0 ? nothing : place
      at = at + 1 === bars ? 0 : at + 1
    }
  }
  const decisions = held.map((place, bar) => (bar > 0 && held[bar - 1] === place ? -1 : place))
  return { decisions, weights: [...tape.weights, new Float64Array(tape.weights[0]?.length ?? 0)] }
}

/** A fixed partition: the same blocks with the same seeds on any number of threads. */
const PATHS_PER_PART = 1_000
const SHARES = [0.05, 0.25, 0.5, 0.75, 0.95]
const SURVIVAL = 0.95
const TEN_YEARS = 40
const LOSS = 'What is left and what was taken out are together less than what was paid in.'
const RUIN = `At some time up to then the account is worth ${100 * RUIN_SHARE}% of its start or less, cash flows included.`

export const futureCheck: Check<PathResults | undefined> = {
  key: 'future',
  label: 'The future, resampled',
  explain:
    'Draws possible futures from the months of the past, in blocks of a year on average and all assets of a month together. ' +
    'The months vary like those of the test. Their mean is mostly that of long-run evidence (1900 to today) unless the test covers many ' +
    'decades, and it differs from path to path by what is not known of it and of the valuation at the start.',
  parts: ({ paths }) => Math.ceil(paths / PATHS_PER_PART),
  run({ material, effort, seed }, part) {
    const plan = pathPlan(material)
    if (plan.months < MIN_MONTHS) return undefined
    return drawPaths(plan, Math.min(PATHS_PER_PART, effort.paths - part * PATHS_PER_PART), seed)
  },
  join({ material }, parts) {
    const known = parts.filter((part) => part !== undefined)
    if (known.length < parts.length) return skip(`the run has fewer than ${MIN_MONTHS} whole months to draw from`)
    return futureFound(pathPlan(material), known, material)
  },
}

function futureFound(plan: PathPlan, parts: readonly PathResults[], material: CheckContext['material']): Found {
  const paths = parts.reduce((sum, { count }) => sum + count, 0)
  const sortedAt = Array.from({ length: POINTS }, (_, point) =>
    joined(parts, ({ values, count }) => values.subarray(point * count, (point + 1) * count)).sort(),
  )
  const bandsAt = sortedAt.map((sorted) => SHARES.map((share) => quantileOfSorted(sorted, share)))
  const losses = [TEN_YEARS, POINTS - 1].map((point, place) => lossShare(plan, parts, point, place))
  const ruins = [120, 12 * HORIZON_YEARS].map(
    (month) =>
      parts.reduce((sum, { ruinMonths }) => sum + ruinMonths.filter((at) => at > 0 && at <= month).length, 0) / paths,
  )
  const withdrawals = joined(parts, (part) => part.withdrawals).sort()
  const drawdowns = joined(parts, (part) => part.drawdowns).sort()
  const median = quantileOfSorted(sortedAt[TEN_YEARS]!, 0.5)
  const knowsPrices = material.conditions.deflator !== undefined || material.priceDeflator !== undefined
  const [, ruin] = ruins as [number, number]
  const outlook = outlookOf(plan)
  const yearly = (mean: number) => signedPercent(Math.expm1(mean))
  const kindOfReturn = plan.isReal ? 'after inflation' : 'in dollars'
  const fixed = isFixed(material) ? 'the percentages are rebalanced on every path' : 'months of the account'
  return {
    judgement: {
      ...graded(ruin, ruin <= 0.05, ruin <= 0.2, ['Ruin is unlikely', 'Ruin is possible', 'Ruin is likely']),
      sentence:
        `On ${ruin === 0 ? 'none' : percent(ruin)} of ${paths.toLocaleString('en-US')} paths of ${HORIZON_YEARS} years the account falls to ` +
        `${100 * RUIN_SHARE}% of its start or below, cash flows included.`,
    },
    summary:
      `${paths.toLocaleString('en-US')} paths of ${HORIZON_YEARS} years (${fixed}). In ten years the median is ` +
      `$${Math.round(median).toLocaleString('en-US')}${material.conditions.deflator === undefined ? '' : ' in dollars of the first day'}; the median drawdown on the way is ${signedPercent(quantileOfSorted(drawdowns, 0.5))}, ` +
      `one in twenty is below ${signedPercent(quantileOfSorted(drawdowns, 0.05))}. ` +
      `The run earned ${yearly(outlook.ownMean)} a year ${kindOfReturn} over ${(plan.months / 12).toFixed(1)} years; the paths earn ` +
      `${yearly(outlook.mean)} on average, between ${yearly(outlook.mean - 1.645 * outlook.meanError)} and ` +
      `${yearly(outlook.mean + 1.645 * outlook.meanError)} in nine of ten cases: as much as that record and the long-run evidence say together.`,
    figures: [
      { label: 'Probability of loss, 10 years', unit: 'percent', value: losses[0]!, reason: LOSS },
      { label: 'Probability of loss, 30 years', unit: 'percent', value: losses[1]!, reason: LOSS },
      { label: 'Probability of ruin, 10 years', unit: 'percent', value: ruins[0]!, reason: RUIN },
      { label: 'Probability of ruin, 30 years', unit: 'percent', value: ruin, reason: RUIN },
      {
        label: `Safe withdrawal a year, ${HORIZON_YEARS} years`,
        unit: 'percent',
        value: 12 * quantileOfSorted(withdrawals, 1 - SURVIVAL),
        reason: `Of the start, taken in equal monthly parts that keep their value${knowsPrices ? ' after inflation' : ' in dollars (no price index is at hand)'}; ${percent(SURVIVAL)} of the paths last. Rests on long-run evidence besides this run, with the uncertainty of the mean and of the valuation at the start.`,
      },
    ],
    details: {
      kind: 'fan',
      start: plan.startValue,
      years: Array.from({ length: POINTS }, (_, point) => (point * POINT_MONTHS) / 12),
      bands: SHARES.map((share, i) => ({ share, values: bandsAt.map((bands) => bands[i]!) })),
    },
  }
}

/** Paths on which value and withdrawals together are less than what was paid in. */
function lossShare({ startValue }: PathPlan, parts: readonly PathResults[], point: number, place: number): number {
  let [lost, paths] = [0, 0]
  for (const { values, netFlows, count } of parts) {
    paths += count
    for (let path = 0; path < count; path++) {
      if (values[point * count + path]! < startValue + netFlows[place * count + path]!) lost++
    }
  }
  return lost / paths
}

function joined(parts: readonly PathResults[], columnOf: (part: PathResults) => Float64Array): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { count }) => sum + count, 0))
  let at = 0
  for (const part of parts) {
    all.set(columnOf(part), at)
    at += part.count
  }
  return all
}
