import { learns } from '@tradewright/core/strategy-kinds'
import type { Column } from '@tradewright/core/column'
import { graded, type Judgement, percent, unknown } from '../../optimizer/verdicts.ts'
import { codeColumns } from '../../models/coded-matrix.ts'
import { combinatorialPaths, combinatorialSplits, type PurgedSplit } from '../../models/splits.ts'
import { definitionOf, settingsOf } from '../../models/catalogue.ts'
import { labelledRows } from '../../models/model.ts'
import { signalOf } from '../../backtest/signals.ts'
import { type Figure, isAvailable, notAvailable } from '../../performance/figure.ts'
import { probabilisticSharpe, trackRecordOf } from '../../performance/risk-adjusted-return.ts'
import { simpleReturns } from '../../performance/returns.ts'
import { type Check, medianOf, ratio, signedPercent, skip } from '../check.ts'
import type { BoardEffort, LearningMaterial } from '../material.ts'
import { constantTape, type CurveFigures, figuresOf, replay } from '../replay.ts'
import { signalTape } from '../tapes.ts'

const TEST_GROUPS = 2
/** The fraction of the bars that is left out after each test group. */
const EMBARGO_SHARE = 0.01
const MIN_ROWS_PER_GROUP = 20

/** What one split predicted, by position among the usable rows of its test groups. */
type SplitSignals = readonly number[]

const splitsOf = ({ usableRows, horizon }: LearningMaterial, { groups }: BoardEffort): PurgedSplit[] =>
  combinatorialSplits(usableRows, {
    groups,
    testGroups: TEST_GROUPS,
    horizon,
    embargo: Math.ceil(EMBARGO_SHARE * usableRows.length),
  })

export const crossValidationCheck: Check<SplitSignals> = {
  key: 'cross-validation',
  label: 'Cross-validation paths',
  explain:
    'Trains the model again on every choice of groups of bars and tests it on the others, without labels that reach into ' +
    'the test (combinatorial purged cross-validation, López de Prado 2018). The tests are joined into several paths through the ' +
    'whole period in place of the one that happened to be tested. Some models know later bars, so this shows how much the ' +
    'result varies, not what could have been earned.',
  whyNot: ({ kind, learning }) => {
    if (!learns({ kind })) return 'there is no model to train again'
    if (!learning) return 'the settings of its model are not known'
    const needed = 8 * MIN_ROWS_PER_GROUP
    return learning.usableRows.length < needed ? `it needs at least ${needed} bars with all features` : undefined
  },
  parts: ({ groups }) => (groups * (groups - 1)) / 2,
  run: ({ material, effort, seed }, part) =>
    predictSplit(material.learning!, splitsOf(material.learning!, effort)[part]!, seed),
  join({ material, effort }, parts) {
    const learning = material.learning!
    const splits = splitsOf(learning, effort)
    const whole = { ...material, conditions: learning.conditions, riskFree: learning.riskFree }
    const fromBar = learning.usableRows[0]!
    const bars = learning.conditions.table.prices.days.length
    const constant = (signal: 0 | 1) => replay(whole, { tape: constantTape(learning.weights[signal], bars), fromBar })
    const ends = { 0: constant(0), 1: constant(1) }
    const held = figuresOf(whole, ends[1])
    const traded = combinatorialPaths(splits, effort.groups).map((path) => {
      const signals = pathSignals(learning, splits, parts, path)
      const curve = replay(whole, { tape: signalTape(signals, learning.weights), fromBar })
      return { signals, growth: curve.growth, figures: figuresOf(whole, curve) }
    })
    const paths = traded.map(({ figures }) => figures)
    const confidence = timingConfidence(traded, ends)
    const returns = paths.flatMap(({ cagr }) => (cagr === null ? [] : [cagr]))
    if (returns.length < paths.length || held.cagr === null) return skip('a path has no annual return')
    const sharpes = paths.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpe]))
    const below = returns.filter((one) => one < held.cagr!).length / returns.length
    return {
      judgement: judgePaths(below, paths, held, confidence),
      summary:
        `${splits.length} models, each tested on ${TEST_GROUPS} of ${effort.groups} groups of bars that it did not learn ` +
        `from, give ${paths.length} paths: annual return from ${signedPercent(Math.min(...returns))} to ` +
        `${signedPercent(Math.max(...returns))}.`,
      figures: [
        { label: 'Paths below holding', unit: 'percent', value: below },
        isAvailable(confidence)
          ? { label: 'Confidence in the timing', unit: 'percent', value: confidence }
          : { label: 'Confidence in the timing', unit: 'percent', value: null, reason: confidence.notAvailable },
        { label: 'Median annual return', unit: 'percent', value: medianOf(returns) },
        sharpes.length > 0
          ? { label: 'Median Sharpe', unit: 'ratio', value: medianOf(sharpes) }
          : { label: 'Median Sharpe', unit: 'ratio', value: null, reason: 'the returns of the paths do not vary' },
        sharpes.length > 0
          ? { label: 'Lowest Sharpe', unit: 'ratio', value: Math.min(...sharpes) }
          : { label: 'Lowest Sharpe', unit: 'ratio', value: null, reason: 'the returns of the paths do not vary' },
      ],
      details: {
        kind: 'bars',
        unit: 'percent',
        bars: returns.toSorted((a, b) => a - b).map((value, i) => ({ label: `Path ${i + 1}`, value, isBase: false })),
        line: { label: 'Holding', value: held.cagr },
      },
    }
  },
}

function predictSplit(learning: LearningMaterial, { train, test }: PurgedSplit, seed: number): SplitSignals {
  const { columns, labels, usableRows, model } = learning
  const trainRows = labelledRows(
    train.map((row) => usableRows[row]!),
    labels,
  )
  const ones = trainRows.filter((row) => labels[row] === 1).length
  // Without both answers there is nothing to learn: the one that was seen is all that can be said.
  if (ones === 0 || ones === trainRows.length) return Array.from(test, () => (ones > 0 ? 1 : 0))
  const data = {
    columns: () => columns,
    matrix: () => codeColumns(columns, trainRows),
    labels,
    trainRows,
    seed,
    isCancelled: () => false,
  }
  const rows = test.map((row) => usableRows[row]!)
  return Array.from(definitionOf(model.kind).predict(data, settingsOf(model), rows), signalOf)
}

/** Each group as the split of this path predicted it; by bar. */
function pathSignals(
  { usableRows, conditions }: LearningMaterial,
  splits: readonly PurgedSplit[],
  parts: readonly SplitSignals[],
  path: readonly number[],
): Int8Array {
  const signals = new Int8Array(conditions.table.prices.days.length).fill(-1)
  path.forEach((number, group) => {
    const { test, testGroups } = splits[number]!
    const from = Math.floor((group * usableRows.length) / path.length)
    const to = Math.floor(((group + 1) * usableRows.length) / path.length)
    if (!testGroups.includes(group)) throw new Error(`split ${number} does not test group ${group}`)
    test.forEach((row, i) => {
      if (row >= from && row < to) signals[usableRows[row]!] = parts[number]![i]!
    })
  })
  return signals
}

interface TradedPath {
  readonly signals: Int8Array
  readonly growth: Column
}

/**
 * Probability that the Sharpe ratio of the timing is above zero. The timing: what the paths earned on average, beyond both
 * allocations held all the time in the proportion in which each path held them, so that an asset that rises or falls by itself
 * proves nothing. The paths are one track record and not several: they share most of what they learned from.
 */
function timingConfidence(paths: readonly TradedPath[], ends: Readonly<Record<0 | 1, { growth: Column }>>): Figure {
  const [sold, bought] = [simpleReturns(ends[0].growth), simpleReturns(ends[1].growth)]
  const timing = new Float64Array(bought.length)
  for (const { signals, growth } of paths) {
    const called = signals.filter((signal) => signal !== -1)
    const share = called.filter((signal) => signal === 1).length / Math.max(1, called.length)
    simpleReturns(growth).forEach((earned, step) => {
      timing[step]! += (earned - share * bought[step]! - (1 - share) * sold[step]!) / paths.length
    })
  }
  const record = trackRecordOf(timing)
  return record ? probabilisticSharpe(record) : notAvailable('all paths always hold the same positions')
}

function judgePaths(below: number, paths: readonly CurveFigures[], held: CurveFigures, confidence: Figure): Judgement {
  const better = paths.filter(({ sharpe }) => (sharpe ?? 0) > (held.sharpe ?? 0)).length
  if (held.cagr === null) return unknown('holding has no annual return')
  const risksLess = better > paths.length / 2
  return {
    ...graded(below, below <= 0.2 && isAvailable(confidence) && confidence >= 0.95, below <= 0.5 || risksLess, [
      'Paths beat holding by more than chance',
      'Paths do not prove the timing',
      'Most paths fall behind holding',
    ]),
    sentence:
      `${Math.round(below * paths.length)} of ${paths.length} paths earned less than always holding the buy allocation ` +
      `(${signedPercent(held.cagr)} a year${held.sharpe === null ? '' : `, Sharpe ratio ${ratio(held.sharpe)}`}); ` +
      `${better} had a higher Sharpe ratio. ` +
      (isAvailable(confidence)
        ? `The confidence that their timing is more than chance is ${percent(confidence)}; 95% is the usual mark.`
        : `Whether their timing is more than chance cannot be told because ${confidence.notAvailable}.`),
  }
}
