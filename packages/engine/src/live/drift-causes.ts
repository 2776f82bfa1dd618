import { hasBlocks, learns, receivesSignals } from '@tradewright/core/strategy-kinds'
import { parseTicker } from '@tradewright/core/ticker'
import { DAY, type EpochDay, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import type { AccountDecisions } from '../backtest/account-run.ts'
import type { MarketData } from '../backtest/market-data.ts'
import { type BacktestPlan, type ExternalPlan, type MlPlan, type RulesPlan, shortTickers } from '../backtest/plan.ts'
import type { Signal, SignalColumn } from '../backtest/signals.ts'
import type { SeriesTable } from '../market/series.ts'
import { nyse } from '../market/trading-calendar.ts'
import { periodEnds } from '../trading/rebalance-calendar.ts'
import type { Executed } from '../trading/simulation-rules.ts'
import { versionAt } from './model-versions.ts'
import type { RulesMemory } from './rules-follower.ts'
import {
  allocationDecisions,
  externalDecisions,
  predictedSignals,
  type Replayed,
  type ReplayPoint,
  type ReplayStage,
  replayStage,
  rulesDecisions,
  signalDecisions,
  wantedByRules,
  type WantedByRules,
} from './replay.ts'
import { nextRun } from './schedule.ts'
import { decidingBars } from './timing.ts'

/** In the order in which they are measured: each on top of those before it. */
export type DriftCause =
  'model_version' | 'data_corrected' | 'paused' | 'runs_missed' | 'fees' | 'fill_price' | 'borrow_costs' | 'rounding'

/** A decision as it was made. */
export interface LivedDecision {
  readonly id: number
  /** The newest bar that it knew. */
  readonly bar: UtcMillis
  readonly at: UtcMillis
  /** Undefined for a strategy that predicts nothing. */
  readonly signal: Signal | undefined
  readonly modelVersion: number | undefined
  /** What a rule strategy wanted to hold, and by which check; absent for others. */
  readonly rules?: Pick<RulesMemory, 'weights' | 'trade'> | undefined
}

/** An order as it was filled. */
export interface LivedOrder {
  readonly id: string
  readonly decisionId: number
  /** The ticker of the strategy that it trades; undefined where another one stands for it. */
  readonly ticker: string | undefined
  readonly at: UtcMillis
  readonly quantity: number
  readonly price: number
  readonly fee: number
}

export interface Lived extends Replayed {
  readonly decisions: readonly LivedDecision[]
  readonly orders: readonly LivedOrder[]
  /** When it did not run by the will of a user or a limit, half-open; none where it is absent. */
  readonly pauses?: readonly { readonly from: UtcMillis; readonly to: UtcMillis }[]
  /** What borrowed shares cost, as growth of one dollar since the first point; none where it is absent. */
  readonly borrowCosts?: readonly { readonly at: UtcMillis; readonly growth: number }[]
}

interface DriftLine {
  readonly cause: DriftCause
  /** Growth of one dollar since the first point, by this cause alone. */
  readonly growth: number
  /** Ids of the orders behind it. */
  readonly orders: readonly string[]
  /** Session dates of runs that were missed, or that a pause left out. */
  readonly days: readonly EpochDay[]
}

export interface ExplainedReplay {
  readonly points: readonly ReplayPoint[]
  /** All but `rounding`, which is what is left to the live growth. */
  readonly lines: readonly DriftLine[]
}

/** What was decided where, by bar of the stage's table. */
interface LivedBars {
  readonly decisions: ReadonlyMap<number, LivedDecision>
  /** Days on which a decision was made. */
  readonly days: ReadonlySet<EpochDay>
}

/**
 * The backtest of the days that a deployment lived, decided by the very models that it traded by, each on its own bars,
 * and filled when its schedule trades: invested on the day it was invested, not years before with weights that have
 * drifted since. And the same account run again and again, each time with one more thing as it really was: the model version,
 * the signal of the data as it was then, its pauses, the runs that took place, the fees, the prices of the fills, what
 * borrowed shares cost. The difference that each makes is its line, so that they add up to the last one minus the first.
 */
export function explainedReplay(plan: BacktestPlan, data: MarketData, lived: Lived): ExplainedReplay {
  const stage = replayStage(plan, data, lived.from)
  if (!stage) return { points: [], lines: [] }
  const bars = livedBars(stage, lived)
  const { strategy } = plan
  const steps = stepsOf(stage, strategy, lived, bars)
  const last = steps.at(-1)!.orders
  const executions = executionsOf(stage, data, lived)
  const executed = (part: (real: Executed) => Executed) => (): AccountDecisions => ({
    ...last(),
    executed: (bar, ticker) => {
      const real = executions.get(keyOf(bar + stage.start, ticker))
      return real && part(real)
    },
  })
  const filled = lived.orders.map(({ id }) => id)
  const filledAsLived = executed((real) => real)
  const shortCharges = shortChargesOf(stage, lived)
  const isShort = shortTickers(strategy).length > 0 || shortCharges.some((charge) => charge !== 0)
  const all: Step[] = [
    ...steps,
    { cause: 'fees', orders: executed((real) => ({ ...real, price: undefined })), ids: filled, days: [] },
    { cause: 'fill_price', orders: filledAsLived, ids: filled, days: [] },
    ...(isShort
      ? [{ cause: 'borrow_costs' as const, orders: () => ({ ...filledAsLived(), shortCharges }), ids: [], days: [] }]
      : []),
  ]
  const runs = all.map(({ orders }) => stage.run(orders()))
  const ends = runs.map((points) => points.at(-1)!.growth)
  return {
    points: runs[0]!,
    lines: all.slice(1).map(({ cause, ids, days }, i) => ({
      cause: cause!,
      growth: ends[i + 1]! - ends[i]!,
      orders: ids,
      days,
    })),
  }
}

function stepsOf(stage: ReplayStage, strategy: BacktestPlan['strategy'], lived: Lived, bars: LivedBars): Step[] {
  if (learns(strategy)) return signalSteps(stage, strategy, lived, bars)
  if (receivesSignals(strategy)) return externalSteps(stage, strategy, lived, bars)
  return hasBlocks(strategy) ? rulesSteps(stage, strategy, lived, bars) : allocationSteps(stage, lived, bars)
}

interface Step {
  /** Undefined for the replay itself. */
  readonly cause: DriftCause | undefined
  /** Anew for each run: what it decides depends on what it decided before. */
  readonly orders: () => AccountDecisions
  readonly ids: readonly string[]
  readonly days: readonly EpochDay[]
}

function livedBars({ table }: ReplayStage, { decisions }: Lived): LivedBars {
  const { timestamps } = table.prices
  // The first decision by a bar is the one that trades it.
  const byBar = new Map<number, LivedDecision>()
  for (const decision of decisions) {
    const bar = timestamps.indexOf(decision.bar)
    if (bar >= 0 && !byBar.has(bar)) byBar.set(bar, decision)
  }
  return { decisions: byBar, days: new Set(decisions.map(({ at }) => epochDayOf(at))) }
}

function signalSteps(stage: ReplayStage, strategy: MlPlan, lived: Lived, bars: LivedBars): Step[] {
  const { models, schedule } = lived
  const { timestamps, days } = stage.table.prices
  const byStamp = new Map([...bars.decisions].map(([bar, decision]) => [timestamps[bar]!, decision]))
  const scheduled = predictedSignals(stage, strategy, schedule, (bar) => versionAt(models, bar))
  const used = (bar: UtcMillis) => {
    const version = byStamp.get(bar)?.modelVersion
    return models.find((one) => one.version === version) ?? versionAt(models, bar)
  }
  const isAsScheduled = [...byStamp.keys()].every((bar) => used(bar) === versionAt(models, bar))
  const byVersion = isAsScheduled ? scheduled : predictedSignals(stage, strategy, schedule, used)
  const recorded = withSignals(byVersion, (bar, said) => bars.decisions.get(bar)?.signal ?? said)
  const skipped = leftOutBars(stage, lived, bars)
  const paused = new Set(skipped.paused)
  const unpaused = withSignals(recorded, (bar, said) => (paused.has(bar) ? -1 : said))
  const happened = withSignals(recorded, (bar, said) => (bars.decisions.has(bar) ? said : -1))
  const orders = (column: SignalColumn) => () => signalDecisions(stage, strategy, column, schedule)
  const changed = (a: SignalColumn, b: SignalColumn) =>
    new Set([...bars.decisions].filter(([bar]) => a.signals[bar] !== b.signals[bar]).map(([, { id }]) => id))
  const ofDecisions = (ids: ReadonlySet<number>) =>
    lived.orders.filter(({ decisionId }) => ids.has(decisionId)).map(({ id }) => id)
  // The run that would have traded a bar is of the next session.
  const dayOfRun = (bar: number) => days[bar + 1]!
  return [
    { cause: undefined, orders: orders(scheduled), ids: [], days: [] },
    {
      cause: 'model_version',
      orders: orders(byVersion),
      ids: ofDecisions(changed(scheduled, byVersion)),
      days: [],
    },
    { cause: 'data_corrected', orders: orders(recorded), ids: ofDecisions(changed(byVersion, recorded)), days: [] },
    {
      cause: 'paused',
      orders: () => ({ ...orders(unpaused)(), rebalances: rebalancesOutsidePauses(stage, lived) }),
      ids: [],
      days: skipped.paused.map(dayOfRun),
    },
    {
      cause: 'runs_missed',
      orders: () => ({ ...orders(happened)(), rebalances: postponed(stage, (day) => bars.days.has(day)) }),
      ids: [],
      days: skipped.missed.map(dayOfRun),
    },
  ]
}

function externalSteps(stage: ReplayStage, strategy: ExternalPlan, lived: Lived, bars: LivedBars): Step[] {
  const { schedule } = lived
  const { table } = stage
  const runs = decidingBars(schedule, table.decisionAt)
  const skipped = leftOutBars(stage, lived, bars)
  const paused = new Set(skipped.paused)
  const isScheduled = (bar: number) => runs[bar] === 1
  const dayOfRun = (bar: number) => table.prices.days[bar + 1]!
  const orders = (decides: (bar: number) => boolean) => externalDecisions(stage, strategy, schedule, decides)
  return [
    { cause: undefined, orders: () => orders(isScheduled), ids: [], days: [] },
    {
      cause: 'paused',
      orders: () => ({
        ...orders((bar) => isScheduled(bar) && !paused.has(bar)),
        rebalances: rebalancesOutsidePauses(stage, lived),
      }),
      ids: [],
      days: skipped.paused.map(dayOfRun),
    },
    {
      cause: 'runs_missed',
      orders: () => ({
        ...orders((bar) => bars.decisions.has(bar)),
        rebalances: postponed(stage, (day) => bars.days.has(day)),
      }),
      ids: [],
      days: skipped.missed.map(dayOfRun),
    },
  ]
}

function allocationSteps(stage: ReplayStage, lived: Lived, bars: LivedBars): Step[] {
  const orders = () => allocationDecisions(stage)
  const { days } = stage.table.prices
  const { paused, missed } = leftOutBars(stage, lived, bars)
  const dayOfRun = (bar: number) => days[bar + 1]!
  const step = (cause: DriftCause, rebalances: Uint8Array, leftOut: readonly number[]): Step => ({
    cause,
    orders: () => ({ ...orders(), rebalances }),
    ids: [],
    days: leftOut.map(dayOfRun),
  })
  return [
    { cause: undefined, orders, ids: [], days: [] },
    step('paused', rebalancesOutsidePauses(stage, lived), paused),
    step(
      'runs_missed',
      postponed(stage, (day) => bars.days.has(day)),
      missed,
    ),
  ]
}

function rulesSteps(stage: ReplayStage, { program }: RulesPlan, lived: Lived, bars: LivedBars): Step[] {
  const { plan, table, start } = stage
  if (!hasBlocks(plan.strategy)) throw new Error('these steps are of rules')
  const { days } = table.prices
  const scheduled = wantedByRules(stage, plan.strategy)
  const recorded = scheduled.map((wanted, bar): WantedByRules => {
    const then = bars.decisions.get(bar)?.rules
    if (!then) return wanted
    return {
      weights: Float64Array.from(program.tickers, (ticker) => then.weights[ticker] ?? 0),
      trade: then.trade?.bar ?? null,
    }
  })
  const runs = decidingBars(lived.schedule, table.decisionAt)
  const skipped = leftOutBars(stage, lived, bars)
  const paused = new Set(skipped.paused)
  const isScheduled = (bar: number) => runs[bar] === 1
  const dayOfRun = (bar: number) => days[bar + 1]!
  const differing = [...bars.decisions].filter(
    ([bar]) => bar >= start && recorded[bar]!.trade !== scheduled[bar]!.trade,
  )
  const ids = new Set(differing.map(([, { id }]) => id))
  const step = (
    cause: DriftCause | undefined,
    wanted: readonly WantedByRules[],
    decides: (bar: number) => boolean,
    leftOut: readonly number[] = [],
  ): Step => ({
    cause,
    orders: () => rulesDecisions(stage, wanted, decides, lived.schedule),
    ids:
      cause === 'data_corrected'
        ? lived.orders.filter(({ decisionId }) => ids.has(decisionId)).map(({ id }) => id)
        : [],
    days: leftOut.map(dayOfRun),
  })
  return [
    step(undefined, scheduled, isScheduled),
    step('data_corrected', recorded, isScheduled),
    step('paused', recorded, (bar) => isScheduled(bar) && !paused.has(bar), skipped.paused),
    step('runs_missed', recorded, (bar) => bars.decisions.has(bar), skipped.missed),
  ]
}

const withSignals = (column: SignalColumn, signalOf: (bar: number, said: number) => number): SignalColumn => ({
  ...column,
  signals: column.signals.map((said, bar) => (said === -1 ? -1 : signalOf(bar, said))),
})

interface LeftOutBars {
  readonly paused: readonly number[]
  readonly missed: readonly number[]
}

/** Bars after the first that was decided by whose run has passed without a decision: in a pause, or missed. */
function leftOutBars({ table, start }: ReplayStage, lived: Lived, { decisions }: LivedBars): LeftOutBars {
  const { decisionAt } = table
  const decides = decidingBars(lived.schedule, decisionAt)
  const first = Math.max(start, Math.min(...decisions.keys()))
  const left: number[] = []
  for (let bar = first; bar < decides.length - 1; bar++) {
    if (decides[bar] === 1 && !decisions.has(bar)) left.push(bar)
  }
  const isPaused = (bar: number) => isInPause(lived, nextRun(lived.schedule, decisionAt[bar]! - 1, nyse)!)
  return { paused: left.filter(isPaused), missed: left.filter((bar) => !isPaused(bar)) }
}

const isInPause = ({ pauses = [] }: Lived, at: UtcMillis): boolean =>
  pauses.some(({ from, to }) => from <= at && at < to)

/** Whether all runs of a session date are in a pause. */
function isPausedDay(lived: Lived, day: EpochDay): boolean {
  let run = nextRun(lived.schedule, day * DAY - 1, nyse)
  let hasRuns = false
  while (run !== undefined && epochDayOf(run) === day && isInPause(lived, run)) {
    hasRuns = true
    run = nextRun(lived.schedule, run, nyse)
  }
  return hasRuns && (run === undefined || epochDayOf(run) !== day)
}

const rebalancesOutsidePauses = (stage: ReplayStage, lived: Lived): Uint8Array =>
  postponed(stage, (day) => !(lived.pauses?.length && isPausedDay(lived, day)))

/** A rebalance that is due on a day without a run takes place on the next one that has one. */
function postponed({ plan: { settings }, table, start }: ReplayStage, hasRun: (day: EpochDay) => boolean): Uint8Array {
  const days = table.prices.days.subarray(start)
  const ends = periodEnds(days, settings.rebalanceFrequency, table.sessionAfter)
  let isDue = false
  return ends.map((end, bar) => {
    isDue ||= end === 1
    const takesPlace = isDue && hasRun(days[bar]!)
    if (takesPlace) isDue = false
    return takesPlace ? 1 : 0
  })
}

const keyOf = (bar: number, ticker: number): string => `${bar} ${ticker}`

/**
 * Executions by bar and ticker: the average price, in the prices of the table, and the fees of that bar by traded
 * value.
 */
function executionsOf(
  { seriesSet, table: { prices } }: ReplayStage,
  data: MarketData,
  { orders }: Lived,
): ReadonlyMap<string, Executed> {
  const barOf = ({ at }: LivedOrder) => barAt(prices, at)
  const byBar = Map.groupBy(orders, barOf)
  const feeShareOf = (bar: number) => sumOf(byBar.get(bar)!, ({ fee }) => fee) / sumOf(byBar.get(bar)!, valueOf)
  const known = orders.filter((order) => barOf(order) >= 0 && prices.tickers.includes(order.ticker ?? ''))
  const groups = Map.groupBy(known, (order) => keyOf(barOf(order), prices.tickers.indexOf(order.ticker!)))
  return new Map(
    [...groups].map(([key, own]) => {
      const bar = barOf(own[0]!)
      const price = sumOf(own, valueOf) / sumOf(own, ({ quantity }) => Math.abs(quantity))
      const adjustment = adjustmentOf(seriesSet, data, own[0]!.ticker!, prices.timestamps[bar]!)
      return [key, { price: price * adjustment, feeShare: feeShareOf(bar) }]
    }),
  )
}

/** Borrow charges by bar of the account, those of a day without a bar at the next one. */
function shortChargesOf({ table: { prices }, start }: ReplayStage, { borrowCosts = [] }: Lived): Float64Array {
  const charges = new Float64Array(prices.days.length - start)
  for (const { at, growth } of borrowCosts) {
    const bar = prices.days.findIndex((day) => day >= epochDayOf(at)) - start
    if (bar >= 0) charges[bar]! += growth
  }
  return charges
}

/** The bar during which an order was filled; -1 where it is not complete yet. */
function barAt({ timestamps, days }: ReplayStage['table']['prices'], at: UtcMillis): number {
  const bar = timestamps.findLastIndex((stamp) => stamp <= at)
  return days[bar] === epochDayOf(at) ? bar : -1
}

const valueOf = ({ quantity, price }: LivedOrder): number => Math.abs(quantity) * price
const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

/** What a price of that bar is worth in the table, which is adjusted for what came later. */
function adjustmentOf(seriesSet: ReplayStage['seriesSet'], data: MarketData, ticker: string, stamp: UtcMillis): number {
  const closeOf = (table: Pick<SeriesTable, 'timestamps' | 'columns'> | undefined) =>
    table?.columns['close']?.[table.timestamps.indexOf(stamp)]
  const adjusted = closeOf(seriesSet.priced(ticker).table)
  const raw = closeOf(data.series.get(parseTicker(ticker).symbol))
  return adjusted === undefined || raw === undefined ? 1 : adjusted / raw
}
