import { deriveSeed, Random } from '@tradewright/core/random'
import { expect, it } from 'vitest'
import { firstSeed, tellShare } from '../../../../scripts/campaign-seeds.ts'
import { claim, hasShared, numbers, readSharedCsv } from '../../../../scripts/shared-data.ts'
import { standardNormal } from '../backtest/test-support/random-walks.ts'
import { choiceOf, definitionOf, settingsOf } from './catalogue.ts'
import { codeColumns } from './coded-matrix.ts'
import type { ModelChoice } from './settings.ts'

/** SEEDS takes more of each. */
const SEEDS = Number(process.env['SEEDS'] ?? 6)
const ROWS = 16 * 252
const TRAINED = Math.round(0.7 * ROWS)
const COLUMNS = 8

interface Series {
  readonly columns: readonly Float64Array[]
  readonly labels: Int8Array
}

/** What the label follows: at most two of the eight columns, by which 55% can be foreseen at most. */
type Edge = 'of one column' | 'of two columns together' | 'none'

function planted(seed: number, edge: Edge): Series {
  const random = new Random(deriveSeed(firstSeed, seed))
  const columns = Array.from({ length: COLUMNS }, (_, column) => {
    // From noise without memory to averages of weeks, as features of prices are.
    const memory = column / COLUMNS
    let value = 0
    return Float64Array.from({ length: ROWS }, () => (value = memory * value + standardNormal(random)))
  })
  const share = (row: number) => {
    if (edge === 'none') return 0.53
    const [first, second] = [columns[1]![row]! > 0, columns[4]![row]! > 0]
    return (edge === 'of one column' ? first : first === second) ? 0.55 : 0.45
  }
  return { columns, labels: Int8Array.from({ length: ROWS }, (_, row) => (random.float() < share(row) ? 1 : 0)) }
}

/** Whether a ticker rises the next day, by changes, volatility and distance from averages of the days before. */
function real(ticker: string): Series {
  const close = numbers(readSharedCsv(`data/equities/daily/${ticker}.csv`)['adj_close']).slice(-ROWS - 201)
  const rows = Array.from({ length: ROWS }, (_, i) => i + 200)
  const change = (bars: number) => Float64Array.from(rows, (bar) => close[bar]! / close[bar - bars]! - 1)
  const overAverage = (bars: number) =>
    Float64Array.from(rows, (bar) => {
      const mean = close.slice(bar - bars + 1, bar + 1).reduce((sum, price) => sum + price, 0) / bars
      return close[bar]! / mean - 1
    })
  const volatility = (bars: number) =>
    Float64Array.from(rows, (bar) => {
      const moves = Array.from({ length: bars }, (_, i) => close[bar - i]! / close[bar - i - 1]! - 1)
      return Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / bars)
    })
  return {
    columns: [
      change(1),
      change(5),
      change(20),
      change(60),
      overAverage(50),
      overAverage(200),
      volatility(10),
      volatility(60),
    ],
    labels: Int8Array.from(rows, (bar) => (close[bar + 1]! > close[bar]! ? 1 : 0)),
  }
}

const FOREST = { trees: 300, minSamplesSplit: 3 }
const BOOSTING = { rounds: 200, maxDepth: 3, eta: 0.05, earlyStoppingRounds: 200 }
const candidates: readonly (readonly [string, ModelChoice])[] = [
  ...[3, 0.01, 0.02, 0.05, 0.1].map(
    (minSamplesLeaf) => [`forest, leaf ${minSamplesLeaf}`, choiceOf('forest', { ...FOREST, minSamplesLeaf })] as const,
  ),
  ...[3, 0.02, 0.05].map(
    (minSamplesLeaf) =>
      [`extra trees, leaf ${minSamplesLeaf}`, choiceOf('extra-trees', { ...FOREST, minSamplesLeaf })] as const,
  ),
  ['boosting, defaults', choiceOf('boosting')],
  ['boosting, depth 3, 200 rounds of 0.05', choiceOf('boosting', { ...BOOSTING, earlyStoppingRounds: null })],
  ...[0.01, 0.02, 0.05].flatMap((minLeafShare) =>
    [2, 3].map(
      (maxDepth) =>
        [
          `boosting, depth ${maxDepth}, leaf ${minLeafShare}, found rounds`,
          choiceOf('boosting', { ...BOOSTING, maxDepth, minLeafShare }),
        ] as const,
    ),
  ),
]

interface Score {
  readonly accuracy: number
  /** The accuracy of always foretelling the more frequent class of the training rows. */
  readonly base: number
  /** Logarithmic loss beyond that of the training rows' share; below zero the probabilities tell something. */
  readonly loss: number
  /**
   * The slope of a logistic regression of the label on the logarithm of the odds: 1 is calibrated, below 1
   * overconfident.
   */
  readonly slope: number
}

function score({ columns, labels }: Series, choice: ModelChoice, seed: number): Score {
  const rows = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, i) => from + i)
  const [trainRows, testRows] = [rows(0, TRAINED), rows(TRAINED, ROWS)]
  const data = {
    columns: () => columns,
    matrix: () => codeColumns(columns, trainRows, () => false),
    labels,
    trainRows,
    seed,
    isCancelled: () => false,
  }
  const probabilities = definitionOf(choice.kind).predict(data, settingsOf(choice), testRows)
  const share = trainRows.reduce((sum, row) => sum + labels[row]!, 0) / trainRows.length
  const lossOf = (probability: number, label: number) =>
    -Math.log(Math.min(1 - 1e-6, Math.max(1e-6, label === 1 ? probability : 1 - probability)))
  let [right, base, loss] = [0, 0, 0]
  testRows.forEach((row, i) => {
    const label = labels[row]!
    if (probabilities[i]! > 0.5 === (label === 1)) right++
    if (share > 0.5 === (label === 1)) base++
    loss += lossOf(probabilities[i]!, label) - lossOf(share, label)
  })
  const tested = testRows.length
  const slope = slopeOf(
    probabilities,
    Array.from(testRows, (row) => labels[row]!),
  )
  return { accuracy: right / tested, base: base / tested, loss: loss / tested, slope }
}

/** Newton's method; two parameters. */
function slopeOf(probabilities: Float64Array, labels: readonly number[]): number {
  const odds = probabilities.map((one) => {
    const inside = Math.min(1 - 1e-6, Math.max(1e-6, one))
    return Math.log(inside / (1 - inside))
  })
  let [intercept, slope] = [0, 0]
  for (let step = 0; step < 20; step++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-9, 0, 1e-9]
    odds.forEach((x, i) => {
      const p = 1 / (1 + Math.exp(-intercept - slope * x))
      const [error, weight] = [labels[i]! - p, p * (1 - p)]
      g0 += error
      g1 += error * x
      h00 += weight
      h01 += weight * x
      h11 += weight * x * x
    })
    const determinant = h00 * h11 - h01 * h01
    intercept += (h11 * g0 - h01 * g1) / determinant
    slope += (h00 * g1 - h01 * g0) / determinant
  }
  return slope
}

function tellScores(name: string, series: readonly Series[]): Map<string, Score> {
  return new Map(
    candidates.map(([label, choice]) => {
      const scores = series.map((one, seed) => score(one, choice, seed))
      const mean = (key: keyof Score) => scores.reduce((sum, one) => sum + one[key], 0) / scores.length
      const deviation = Math.sqrt(
        scores.reduce((sum, one) => sum + (one.accuracy - mean('accuracy')) ** 2, 0) / Math.max(1, scores.length - 1),
      )
      const error = (1.96 * deviation) / Math.sqrt(scores.length)
      const middle = scores.map(({ slope }) => slope).sort((a, b) => a - b)[scores.length >> 1]!
      tellShare(
        `${name} | ${label} | ${(100 * mean('accuracy')).toFixed(1)} ± ${(100 * error).toFixed(1)} (base ${(100 * mean('base')).toFixed(1)}) | ` +
          `loss ${(1000 * mean('loss')).toFixed(1)} | slope ${middle.toFixed(2)}`,
      )
      const whole = { accuracy: mean('accuracy'), base: mean('base'), loss: mean('loss'), slope: middle }
      return [label, whole] as const
    }),
  )
}

it.each(['of one column', 'of two columns together', 'none'] as const)('finds a planted edge %s', (edge) => {
  const series = Array.from({ length: SEEDS }, (_, seed) => planted(seed, edge))
  const scores = tellScores(`edge ${edge}`, series)
  const [forest, boosting] = [
    scores.get('forest, leaf 0.05')!,
    scores.get('boosting, depth 3, leaf 0.05, found rounds')!,
  ]
  if (edge === 'of one column') {
    expect(forest.accuracy).toBeGreaterThan(scores.get('forest, leaf 3')!.accuracy + 0.01)
    expect(boosting.accuracy).toBeGreaterThan(scores.get('boosting, defaults')!.accuracy + 0.01)
  }
  expect(forest.loss).toBeLessThan(scores.get('forest, leaf 3')!.loss)
  expect(boosting.loss).toBeLessThan(scores.get('boosting, defaults')!.loss)
})

const TICKERS = ['SPY', 'TLT', 'GLD', 'EFA', 'QQQ', 'IWM', 'LQD', 'VNQ']
const FILE = 'data/equities/daily/SPY.csv'

it.skipIf(!hasShared(FILE))(claim('loses less on real series', FILE), () => {
  const scores = tellScores('real series', TICKERS.map(real))
  expect(scores.get('forest, leaf 0.05')!.loss).toBeLessThan(scores.get('forest, leaf 3')!.loss)
  expect(scores.get('boosting, depth 3, leaf 0.05, found rounds')!.loss).toBeLessThan(
    scores.get('boosting, defaults')!.loss,
  )
})
