import { isFixed, learns, receivesSignals } from '@tradewright/core/strategy-kinds'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import type { MarketData } from '../backtest/market-data.ts'
import type { BacktestPlan } from '../backtest/plan.ts'
import { isSynthetic } from '../backtest/provenance.ts'
import type { Signal, SignalColumn } from '../backtest/signals.ts'
import type { Model } from '../models/model.ts'
import {
  allocationDecisions,
  externalDecisions,
  predictedSignals,
  type ReplayStage,
  replayStage,
  rulesDecisions,
  signalDecisions,
  wantedByRules,
} from './replay.ts'
import type { AccountDecisions } from '../backtest/account-run.ts'
import type { TradingSchedule } from './schedule.ts'
import { decidingBars } from './timing.ts'

interface ReplayedDecision {
  readonly at: UtcMillis
  /** Undefined for a strategy that predicts nothing. */
  readonly signal: Signal | undefined
  readonly probability: number | undefined
  readonly traded: boolean
}

/** A market order, filled whole. */
interface ReplayedOrder {
  readonly at: UtcMillis
  readonly ticker: string
  /** Negative: sold. */
  readonly quantity: number
  readonly price: number
}

export interface MonthReplay {
  readonly points: readonly { readonly at: UtcMillis; readonly value: number }[]
  /** How many bars the schedule decides by. */
  readonly decisionCount: number
  /** Decisions that predict something else than the one before, and those that trade; oldest first. */
  readonly decisions: readonly ReplayedDecision[]
  /** Oldest first. */
  readonly orders: readonly ReplayedOrder[]
  readonly syntheticTickers: readonly string[]
}

interface MonthQuestion {
  /** Trained on nothing later than the day before `from`; undefined for a strategy that predicts nothing. */
  readonly model: Model | undefined
  readonly schedule: TradingSchedule
  readonly from: EpochDay
}

/**
 * A paper account that begins on a day with the start value of the plan, is decided for when the schedule does and sends
 * its orders when the replay of a deployment does. Undefined where there is no bar of these days.
 */
export function replayMonth(plan: BacktestPlan, data: MarketData, question: MonthQuestion): MonthReplay | undefined {
  const stage = replayStage(plan, data, question.from)
  if (!stage) return undefined
  const { seriesSet, table, start } = stage
  const { strategy } = plan
  const said = learns(strategy) ? predictedBy(stage, question) : undefined
  const decides = decidingBars(question.schedule, table.decisionAt)
  const { values, fills } = stage.paperAccount(ordersOf(stage, said, decides, question.schedule))
  const first = table.prices.days.findIndex((day) => day >= question.from)
  const tradedBars = new Set(fills.map(({ bar }) => bar + start))
  const decidingFrom = decides.reduce((count, one, bar) => count + (bar >= start ? one : 0), 0)
  return {
    points: Array.from(table.decisionAt.subarray(first), (at, i) => ({ at, value: values[first - start + i]! })),
    decisionCount: decidingFrom,
    decisions: said ? signalChanges(stage, said, tradedBars) : rebalancesOf(stage, tradedBars),
    orders: fills.map(({ at, ticker, quantity, price }) => ({ at, ticker, quantity, price })),
    syntheticTickers: [...seriesSet.used.values()].filter(isSynthetic).map(({ ticker }) => ticker),
  }
}

function ordersOf(
  stage: ReplayStage,
  said: SignalColumn | undefined,
  decides: Uint8Array,
  schedule: TradingSchedule,
): AccountDecisions {
  const { strategy } = stage.plan
  if (learns(strategy)) return signalDecisions(stage, strategy, said!, schedule)
  if (isFixed(strategy)) return allocationDecisions(stage)
  if (receivesSignals(strategy)) return externalDecisions(stage, strategy, schedule, (bar) => decides[bar] === 1)
  return rulesDecisions(stage, wantedByRules(stage, strategy), (bar) => decides[bar] === 1, schedule)
}

function predictedBy(stage: ReplayStage, { model, schedule }: MonthQuestion): SignalColumn {
  const { strategy } = stage.plan
  if (!learns(strategy) || !model) throw new Error('an ML strategy is replayed with a model')
  return predictedSignals(stage, strategy, schedule, () => ({ version: 1, after: null, load: () => model }))
}

/** Traded a bar later, at its open or close. */
function signalChanges(
  { table: { decisionAt }, start }: ReplayStage,
  { signals, probabilities }: SignalColumn,
  tradedBars: ReadonlySet<number>,
): ReplayedDecision[] {
  const changes: ReplayedDecision[] = []
  let before = -1
  for (let bar = start; bar < signals.length; bar++) {
    const signal = signals[bar]!
    if (signal === -1 || signal === before) continue
    before = signal
    const probability = signal === 1 ? probabilities[bar]! : 1 - probabilities[bar]!
    changes.push({ at: decisionAt[bar]!, signal: signal === 1 ? 1 : 0, probability, traded: tradedBars.has(bar + 1) })
  }
  return changes
}

const rebalancesOf = ({ table: { decisionAt } }: ReplayStage, tradedBars: ReadonlySet<number>): ReplayedDecision[] =>
  [...tradedBars].map((bar) => ({ at: decisionAt[bar]!, signal: undefined, probability: undefined, traded: true }))
