import { quantileOfSorted } from '../../performance/quantile.ts'
import { graded, percent } from '../../optimizer/verdicts.ts'
import { type Check, type CheckContext, type Found, signedPercent, skip } from '../check.ts'
import {
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
  const fixed =
    material.kind === 'allocation' ? 'the percentages are rebalanced on every path' : 'months of the account'
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
