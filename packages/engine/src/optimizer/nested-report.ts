import { Problem } from '@tradewright/core/problem'
import type { EpochDay } from '@tradewright/core/time'
import type { Period } from '../backtest/result.ts'
import { noSignals, type SignalColumn } from '../backtest/signals.ts'
import { cagr } from '../performance/returns.ts'
import { type Figure, isAvailable, notAvailable } from '../performance/figure.ts'
import { probabilisticSharpe, trackRecordOf } from '../performance/risk-adjusted-return.ts'
import {
  type ComparedCurves,
  drawnCurves,
  activeReturns,
  earnsNoMore,
  holdingOver,
  type HoldingScores,
  holdingScores,
  timingReturns,
} from './holding.ts'
import type { Individual, SearchRequest } from './request.ts'
import { countCalls, scoreCalls, scoreSignals, type Scores, sharpePerBarOf, tradeSignals, yearly } from './score.ts'
import type { SearchData } from './search-data.ts'
import { graded, type Judgement, percent, SUMMARY_WORDS, unknown } from './verdicts.ts'
import type { EvaluationRules } from './evaluate.ts'
import { type Generation, knownEvaluations, winnerOf } from './search.ts'
import { predictHoldOut } from './winner.ts'

interface NestedWindowReport extends Scores {
  readonly holding: HoldingScores
  readonly period: Period
  readonly winner: Individual
  readonly fitness: number
  readonly generations: number
  readonly trials: number
}

/** What a user would have had who searched again before each window. Plain data. */
export interface NestedReport {
  /** Windows that were asked for; fewer are done where the run was cancelled. */
  readonly planned: number
  readonly windows: readonly NestedWindowReport[]
  /** Over all windows, stitched. */
  readonly scores: Scores
  /** Always holding the buy allocation of what was chosen, over the same bars. */
  readonly holding: HoldingScores
  readonly curves: ComparedCurves
  readonly judgement: Judgement
}

/** Stitches the windows on the data of the whole run. */
export function reportNested(
  searches: readonly SearchData[],
  choices: readonly NestedChoice[],
  planned: number,
): NestedReport | undefined {
  const traded = choices.filter(({ stamps }) => stamps.length > 1)
  if (traded.length === 0) return undefined
  const segments = segmentsOf(searches, traded)
  const joined = {
    days: stitchedDays(segments),
    growth: chained(segments, ({ account, sale }) => [account.growth, sale]),
    held: chained(segments, ({ held, heldSale }) => [held.growth, heldSale]),
  }
  const perYear = barsPerYearOf(segments)
  const scores = {
    ...scoreCalls(traded.map((choice) => countCalls(...calls(searches, choice)))),
    sharpe: yearly(sharpePerBarOf(concat(segments.map(({ account }) => account.excess))), perYear),
    cagr: growthOf(joined.days, joined.growth),
  }
  const holding = {
    sharpe: yearly(sharpePerBarOf(concat(segments.map(({ held }) => held.excess))), perYear),
    cagr: growthOf(joined.days, joined.held),
  }
  const windows = traded.map((choice) => windowReport(searches, choice))
  return {
    planned,
    windows,
    scores,
    holding,
    curves: drawnCurves(joined.days, joined.growth, joined.held),
    judgement: judgeNested({
      scores,
      holding,
      windows,
      probability: confidenceIn(segments),
    }),
  }
}

/** The lower of two: that it beats holding, and that its timing is more than chance. */
function confidenceIn(segments: readonly Segment[]): Figure {
  const active = concat(segments.map(({ searchData, account }) => activeReturns(searchData, account)))
  const timing = concat(segments.map(({ searchData, account, signals }) => timingReturns(searchData, account, signals)))
  const [beats, times] = [active, timing].map((returns) => {
    const record = trackRecordOf(returns)
    return record ? probabilisticSharpe(record) : notAvailable('it always held the same allocation')
  }) as [Figure, Figure]
  if (!isAvailable(beats)) return beats
  return isAvailable(times) ? Math.min(beats, times) : times
}

/** Windows in a row with the same target are one account, which keeps its position from one to the next. */
interface Segment {
  readonly searchData: SearchData
  readonly signals: SignalColumn
  readonly account: ReturnType<typeof tradeSignals>
  readonly held: ReturnType<typeof tradeSignals>
  /** The fraction of the value that selling everything costs; 0 where the position goes on. */
  readonly sale: number
  readonly heldSale: number
}

function segmentsOf(searches: readonly SearchData[], choices: readonly NestedChoice[]): Segment[] {
  const groups: NestedChoice[][] = []
  for (const choice of choices) {
    const last = groups.at(-1)
    if (last?.[0]!.winner.target === choice.winner.target) last.push(choice)
    else groups.push([choice])
  }
  return groups.map((group, number) => {
    const searchData = searches[group[0]!.winner.target]!
    const next = groups[number + 1]?.[0]
    const signals = noSignals(searchData.prices.days.length)
    for (const choice of group) enterChoice(searchData, choice, signals)
    if (next) holdUntil(searchData, signals, next.stamps[0]!)
    const account = tradeSignals(searchData, signals)
    const lastWeights = signals.signals[account.bars.to - 1] === 1 ? searchData.weights.buy : searchData.weights.sell
    return {
      searchData,
      signals,
      account,
      held: holdingOver(searchData, account.bars),
      sale: next ? saleCost(searchData, lastWeights) : 0,
      heldSale: next ? saleCost(searchData, searchData.weights.buy) : 0,
    }
  })
}

const saleCost = ({ settings }: SearchData, weights: Float64Array): number =>
  (settings.tradingCostBps / 10_000) * weights.reduce((sum, weight) => sum + Math.abs(weight), 0)

function enterChoice({ prices }: SearchData, { stamps, signals }: NestedChoice, into: SignalColumn): void {
  const byStamp = new Map(stamps.map((stamp, i) => [stamp, signals[i]!]))
  prices.timestamps.forEach((stamp, bar) => {
    const signal = byStamp.get(stamp)
    if (signal !== undefined) into.signals[bar] = signal
  })
}

/** The last position is kept until the next account begins. */
function holdUntil({ prices }: SearchData, { signals }: SignalColumn, stamp: number): void {
  const last = signals.findLastIndex((signal) => signal !== -1)
  for (let bar = last + 1; bar < signals.length && prices.timestamps[bar]! <= stamp; bar++)
    signals[bar] = signals[last]!
}

const calls = (searches: readonly SearchData[], choice: NestedChoice) => {
  const searchData = searches[choice.winner.target]!
  const signals = noSignals(searchData.prices.days.length)
  enterChoice(searchData, choice, signals)
  return [searchData, signals, searchData.labels] as const
}

function windowReport(searches: readonly SearchData[], choice: NestedChoice): NestedWindowReport {
  const [searchData, signals, labels] = calls(searches, choice)
  const traded = tradeSignals(searchData, signals)
  const { winner, fitness, generations, trials, window } = choice
  return {
    ...scoreSignals(searchData, signals, traded, labels),
    holding: holdingScores(searchData, traded),
    period: window,
    winner,
    fitness,
    generations,
    trials,
  }
}

function stitchedDays(segments: readonly Segment[]): Int32Array {
  return Int32Array.from(
    segments.flatMap(({ searchData, account: { bars } }, i) =>
      Array.from(searchData.prices.days.subarray(bars.from + (i === 0 ? 0 : 1), bars.to)),
    ),
  )
}

/** Each segment begins with what the one before it left after its sale. */
function chained(segments: readonly Segment[], partOf: (segment: Segment) => [Float64Array, number]): Float64Array {
  let value = 1
  const parts = segments.map((segment, i) => {
    const [growth, sale] = partOf(segment)
    const scaled = growth.map((one) => one * value)
    value = scaled.at(-1)! * (1 - sale)
    return i === 0 ? scaled : scaled.subarray(1)
  })
  return concat(parts)
}

function concat(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function growthOf(days: Int32Array, growth: Float64Array): number | null {
  const yearlyGrowth = cagr(growth.at(-1)!, days.at(-1)! - days[0]!)
  return isAvailable(yearlyGrowth) ? yearlyGrowth : null
}

/** Targets may trade on different calendars. */
function barsPerYearOf(segments: readonly Segment[]): number {
  const bars = segments.reduce((sum, { account }) => sum + account.returns.length, 0)
  return segments.reduce(
    (sum, { searchData, account }) => sum + (searchData.barsPerYear * account.returns.length) / bars,
    0,
  )
}

interface Judged extends Pick<NestedReport, 'scores' | 'holding'> {
  readonly windows: readonly (Pick<Scores, 'cagr'> & { readonly holding: HoldingScores })[]
  readonly probability: Figure
}

/** Nothing of a window was known when its features were chosen, so that no number of trials has to be allowed for. */
export function judgeNested({ scores, holding, windows, probability }: Judged): Judgement {
  const better = windows.filter((one) => !earnsNoMore({ cagr: one.cagr, holding: one.holding })).length
  const told = (value: number | null) => (value === null ? 'n/a' : percent(value))
  const earned =
    `Searching again before each of ${windows.length} windows and trading what was found earned ` +
    `${told(scores.cagr)} a year; always holding the buy allocation earned ${told(holding.cagr)}. ` +
    `It did better in ${better} of ${windows.length} windows.`
  if (earnsNoMore({ cagr: scores.cagr, holding })) {
    return { value: null, verdict: 'bad', words: SUMMARY_WORDS.noMoreThanHolding, sentence: earned }
  }
  if (!isAvailable(probability)) return unknown(probability.notAvailable)
  return {
    ...graded(probability, probability >= 0.95, probability >= 0.8, [
      SUMMARY_WORDS.good,
      SUMMARY_WORDS.caution,
      SUMMARY_WORDS.bad,
    ]),
    sentence: `${earned} The confidence that this is more than chance is ${percent(probability)}; 95% is the usual mark.`,
  }
}

/** A winner does not look genuine where the way it was found does not earn more than holding. */
export function summaryWithNested(
  summary: Omit<Judgement, 'value'>,
  nested: Judgement | undefined,
): Omit<Judgement, 'value'> {
  if (nested?.verdict !== 'bad' || summary.verdict !== 'good') return summary
  return {
    verdict: 'caution',
    words: SUMMARY_WORDS.caution,
    sentence:
      'The winner passes its own checks, but the same search, repeated before earlier windows, did not show that it ' +
      'beats holding by more than chance.',
  }
}

/**
 * A window of nested walk-forward, first and last day: everything before it is searched as if the run had ended there,
 * and what was found is traded in it.
 */
export interface NestedWindow {
  readonly from: EpochDay
  readonly to: EpochDay
}

/** The fraction of the days that is searched before the first window. */
const FIRST_SEARCH_SHARE = 0.5
const MIN_DAYS_PER_WINDOW = 10

/** Equal windows over the second half of the days that every target has, one right after the other. */
export function nestedWindows(searches: readonly SearchData[], count: number): NestedWindow[] {
  const spans = searches.map(({ prices, usableRows }) => ({
    from: prices.days[usableRows[0]!]!,
    to: prices.days[usableRows.at(-1)!]!,
  }))
  const from = Math.max(...spans.map((span) => span.from))
  const to = Math.min(...spans.map((span) => span.to))
  const [{ prices, usableRows }] = searches as [SearchData]
  const own = Array.from(usableRows, (bar) => prices.days[bar]!)
  const days = [...new Set(own)].filter((day) => day >= from && day <= to)
  const first = Math.floor(FIRST_SEARCH_SHARE * days.length)
  const length = (days.length - first) / count
  if (length < MIN_DAYS_PER_WINDOW) throw tooShort(days.length, count)
  const begins = Array.from({ length: count + 1 }, (_, i) => first + Math.round(i * length))
  return Array.from({ length: count }, (_, i) => ({ from: days[begins[i]!]!, to: days[begins[i + 1]! - 1]! }))
}

/** The run's own search as it would have been at the window's beginning: nothing from there on is seen. */
export const nestedRequest = (request: SearchRequest, { from, to }: NestedWindow): SearchRequest => ({
  ...request,
  to,
  holdOutFrom: from,
  nestedWindows: 0,
})

/** What the search before a window chose, and what that predicted in the window. Plain data. */
export interface NestedChoice {
  readonly window: NestedWindow
  readonly winner: Individual
  readonly fitness: number
  readonly generations: number
  /** Distinct individuals that were evaluated. */
  readonly trials: number
  /** The bars with a prediction. */
  readonly stamps: readonly number[]
  readonly signals: readonly number[]
}

/** Chooses as the run itself does; `searches` are those of the window's own search. */
export async function chooseForWindow(
  searches: readonly SearchData[],
  rules: EvaluationRules,
  history: readonly Generation[],
  window: NestedWindow,
  isCancelled: () => boolean = () => false,
): Promise<NestedChoice> {
  const { member } = winnerOf(history)
  const searchData = searches[member.target]!
  const predicted = await predictHoldOut(searchData, rules, member, isCancelled)
  const bars = predicted ? [...predicted.signals.keys()].filter((bar) => predicted.signals[bar] !== -1) : []
  return {
    window,
    winner: { target: member.target, genes: member.genes },
    fitness: member.evaluation.fitness,
    generations: history.length,
    trials: knownEvaluations(history).size,
    stamps: bars.map((bar) => searchData.prices.timestamps[bar]!),
    signals: bars.map((bar) => predicted!.signals[bar]!),
  }
}

const tooShort = (days: number, count: number) =>
  new Problem(
    'invalid',
    'optimizer.nested',
    `${count} nested windows are too many for the ${days} days with data: each needs at least ${MIN_DAYS_PER_WINDOW} ` +
      'in the second half of the period. Use fewer windows or a longer range.',
  )
