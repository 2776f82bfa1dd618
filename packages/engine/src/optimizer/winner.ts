import type { EpochDay } from '@tradewright/core/time'
import type { LearningJob } from '../backtest/learner.ts'
import { modelLearner } from '../backtest/model-learner.ts'
import type { Period } from '../backtest/result.ts'
import { enterPredictions, noSignals, type SignalColumn } from '../backtest/signals.ts'
import type { Label } from '../features/feature.ts'
import { rowRange, type RowSpan } from '../models/splits.ts'
import { type TrackRecord, trackRecordOf } from '../performance/risk-adjusted-return.ts'
import { type SearchData, columnOf, columnsOf } from './search-data.ts'
import { type EvaluationRules, joined, windowSeed } from './evaluate.ts'
import {
  type ComparedCurves,
  comparedCurves,
  activeReturns,
  type HoldingScores,
  holdingScores,
  timingReturns,
} from './holding.ts'
import type { Individual } from './request.ts'
import { scoreSignals, type Scores, tradeSignals } from './score.ts'

interface WinnerWindow extends Scores {
  /** Always holding the buy allocation over the same bars. */
  readonly holding: HoldingScores
  readonly number: number
  readonly test: Period
  readonly testRows: number
  /** Per feature, adding up to 1. */
  readonly importances: readonly number[]
}

export interface HoldOutScores extends Scores {
  readonly holding: HoldingScores
  readonly period: Period
  readonly rows: number
  /** Share of the more frequent label there: what always saying the same would have given. */
  readonly baseRate: number | null
}

/** Everything about the best individual that need not be known of the others. */
export interface WinnerDetails {
  readonly overall: Scores
  /** Always holding the buy allocation over the test rows. */
  readonly holding: HoldingScores
  readonly windows: readonly WinnerWindow[]
  readonly train: Period
  readonly test: Period
  /** Its returns in the test windows minus those of holding; undefined where they never differ. */
  readonly activeRecord: TrackRecord | undefined
  /** What its timing earned in the test windows; undefined where the position never changed. */
  readonly timingRecord: TrackRecord | undefined
  /** Undefined without a hold-out. */
  readonly holdOut: HoldOutScores | undefined
  /** Its account beside one that always holds the buy allocation. */
  readonly curves: { readonly test: ComparedCurves; readonly holdOut: ComparedCurves | undefined }
}

/**
 * Trains the winner once more, window by window, with the backtest's own learner, and then for the first and only time
 * on the hold-out.
 */
export async function detailWinner(
  searchData: SearchData,
  rules: EvaluationRules,
  individual: Individual,
  isCancelled: () => boolean = () => false,
): Promise<WinnerDetails> {
  const train = trainerOf(searchData, rules, individual, isCancelled)
  const parts: { signals: SignalColumn; window: WinnerWindow }[] = []
  for (const [number, { train: learned, test }] of searchData.windows.entries()) {
    const { signals, importances } = await train(learned, test, searchData.searchLabels, number)
    const traded = tradeSignals(searchData, signals)
    const scores = { ...scoreSignals(searchData, signals, traded), holding: holdingScores(searchData, traded) }
    const testRows = test.to - test.from
    parts.push({
      signals,
      window: { number: number + 1, test: periodOf(searchData, test), testRows, importances, ...scores },
    })
  }
  const overall = joined(
    searchData,
    parts.map(({ signals }) => signals),
  )
  const traded = tradeSignals(searchData, overall)
  const newest = searchData.windows.at(-1)!
  const held = await holdOut(searchData, train)
  return {
    overall: scoreSignals(searchData, overall, traded),
    holding: holdingScores(searchData, traded),
    windows: parts.map(({ window }) => window),
    train: periodOf(searchData, newest.train),
    test: periodOf(searchData, { from: searchData.windows[0]!.test.from, to: newest.test.to }),
    activeRecord: trackRecordOf(activeReturns(searchData, traded)),
    timingRecord: trackRecordOf(timingReturns(searchData, traded, overall)),
    holdOut: held?.scores,
    curves: { test: comparedCurves(searchData, traded), holdOut: held?.curves },
  }
}

interface Trained {
  readonly signals: SignalColumn
  readonly importances: readonly number[]
}

type Trainer = (train: RowSpan, test: RowSpan, labels: Int8Array, window: number) => Promise<Trained>

function trainerOf(
  searchData: SearchData,
  rules: EvaluationRules,
  individual: Individual,
  isCancelled: () => boolean,
): Trainer {
  const columns = Array.from(columnsOf(searchData, individual.genes), (column) => columnOf(searchData, column))
  const learn = modelLearner(rules.model)
  return async (train, test, labels, window) => {
    const job = learningJob(columns, labels, train, test, windowSeed(rules.seed, window), isCancelled)
    const { probabilities, importances } = await learn(job)
    return {
      signals: signalsOn(searchData, job.predictRows, probabilities),
      importances: Array.from(importances ?? []),
    }
  }
}

/** What an individual predicts for the hold-out; undefined where that is too short to trade. */
export const predictHoldOut = (
  searchData: SearchData,
  rules: EvaluationRules,
  individual: Individual,
  isCancelled: () => boolean = () => false,
): Promise<SignalColumn | undefined> =>
  holdOutSignals(searchData, trainerOf(searchData, rules, individual, isCancelled))

/** Learned on as many rows as the newest model of the search, those right before the hold-out. */
async function holdOutSignals(searchData: SearchData, train: Trainer): Promise<SignalColumn | undefined> {
  const { holdOutFrom, usableRows, horizon, windows, labels } = searchData
  const test = { from: holdOutFrom, to: usableRows.length }
  if (test.to - test.from < 2) return undefined
  const isRolling = windows.length > 1
  const size = isRolling ? windows.at(-1)!.train.to - windows.at(-1)!.train.from : holdOutFrom
  const learned = { from: Math.max(0, holdOutFrom - horizon - size), to: holdOutFrom - horizon }
  return (await train(learned, test, labels, windows.length)).signals
}

async function holdOut(
  searchData: SearchData,
  train: Trainer,
): Promise<{ scores: HoldOutScores; curves: ComparedCurves } | undefined> {
  const { holdOutFrom, usableRows, labels } = searchData
  const test = { from: holdOutFrom, to: usableRows.length }
  const signals = await holdOutSignals(searchData, train)
  if (!signals) return undefined
  const known = labels.subarray(test.from).filter((label) => label !== -1)
  const ones = known.filter((label) => label === 1).length
  const traded = tradeSignals(searchData, signals)
  const scores = {
    ...scoreSignals(searchData, signals, traded, labels),
    holding: holdingScores(searchData, traded),
    period: periodOf(searchData, test),
    rows: test.to - test.from,
    baseRate: known.length === 0 ? null : Math.max(ones, known.length - ones) / known.length,
  }
  return { scores, curves: comparedCurves(searchData, traded) }
}

function learningJob(
  columns: readonly Float64Array[],
  labels: Int8Array,
  train: RowSpan,
  test: RowSpan,
  seed: number,
  isCancelled: () => boolean,
): LearningJob {
  const known: Label[] = Array.from(labels, (label) => (label === -1 ? null : (label as 0 | 1)))
  return {
    columns,
    labels: known,
    trainRows: rowRange(train.from, train.to).filter((row) => known[row] !== null),
    predictRows: rowRange(test.from, test.to),
    seed,
    wantsImportances: true,
    signal: {
      get aborted() {
        return isCancelled()
      },
    },
  }
}

function signalsOn({ prices, usableRows }: SearchData, rows: Int32Array, probabilities: Float64Array): SignalColumn {
  const signals = noSignals(prices.days.length)
  enterPredictions(
    signals,
    rows.map((row) => usableRows[row]!),
    probabilities,
  )
  return signals
}

function periodOf({ prices, usableRows }: SearchData, { from, to }: RowSpan): Period {
  const day = (row: number): EpochDay => prices.days[usableRows[row]!]!
  return { from: day(from), to: day(to - 1) }
}
