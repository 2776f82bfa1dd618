import { hasBlocks, isFixed, learns, receivesSignals } from '@tradewright/core/strategy-kinds'
import type { Column } from '@tradewright/core/column'
import { deriveSeed } from '@tradewright/core/random'
import { runConditions, type RunConditions } from '../backtest/account-run.ts'
import { decideByTargets } from '../backtest/external-backtest.ts'
import { deflator, priceLevelDays } from '../backtest/inflation.ts'
import { fingerprintOf } from '../backtest/fingerprint.ts'
import type { MarketData } from '../backtest/market-data.ts'
import {
  type BacktestPlan,
  type ExternalPlan,
  maxInvestedPct,
  type MlPlan,
  planBacktest,
  type RulesPlan,
  shortTickers,
} from '../backtest/plan.ts'
import { learnableRows } from '../backtest/learnable-rows.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { uncontrolled } from '../backtest/progress.ts'
import { provenanceOf, tradesSynthetic, usesOf } from '../backtest/provenance.ts'
import { referencePrices, runReference } from '../backtest/reference.ts'
import type { BacktestRequest } from '../backtest/request.ts'
import { realReturns, riskFreeReturns } from '../backtest/risk-free.ts'
import { type SimulationTable, simulationTable } from '../backtest/simulation-table.ts'
import { encodeLabels } from '../models/model.ts'
import type { ModelChoice } from '../models/settings.ts'
import { rulesInputs } from '../rules/inputs.ts'
import { targetWeights } from '../trading/allocation.ts'
import { sliceTable } from '../trading/price-table.ts'
import { rebalanceShifts } from './checks/execution.ts'
import type { BoardMaterial, LearningMaterial } from './material.ts'
import { heldPlaces } from './replay.ts'
import {
  laterInputs,
  nearbyMixes,
  nearbyTrees,
  recordTape,
  rulesTape,
  type Signals,
  signalTape,
  thresholdTapes,
} from './tapes.ts'

/** What a model predicted in the run, by the stamps of its bars. Models are not trained again. */
export interface StoredSignals extends Signals {
  readonly timestamps: Float64Array
}

interface Prepared {
  readonly material: BoardMaterial
  /** Identifies the data that the board is computed from. */
  readonly fingerprint: string
}

/** Prices, decisions and yardsticks of a run, and its neighbours. `reached`: between two pieces of the work. */
export function prepareBoard(
  request: BacktestRequest,
  data: MarketData,
  stored: StoredSignals | undefined,
  seed: number,
  reached: (note: string) => void = () => undefined,
  model?: ModelChoice,
): Prepared {
  const plan = planBacktest(request)
  const { settings, strategy } = plan
  const seriesSet = new SeriesSet(data, settings)
  const table = simulationTable(seriesSet, plan.tradedTickers, settings)
  const borrows = maxInvestedPct(plan) > 100 || shortTickers(strategy).length > 0
  const conditions = runConditions(seriesSet.lookUp, table, settings, borrows)
  const bars = tradedBars(table, learns(strategy) ? stored : undefined)
  const riskFree = realReturns(riskFreeReturns(seriesSet, plan.riskFreeTicker, table).returns, conditions.deflator)
  const reference =
    plan.referenceTicker === undefined
      ? undefined
      : runReference(
          { ...conditions, settings: { ...settings, cashflow: 0 } },
          referencePrices(seriesSet, plan.referenceTicker, conditions),
          bars,
          { barsPerYear: table.barsPerYear, riskFree },
        )
  const cut = <Values extends Column | undefined>(column: Values) => column?.subarray(bars.from, bars.to) as Values
  const common = {
    kind: strategy.kind,
    isSynthetic: tradesSynthetic(provenanceOf(seriesSet.used.values(), usesOf(plan))),
    conditions: {
      settings,
      table: {
        prices: sliceTable(table.prices, bars.from, bars.to),
        barsPerYear: table.barsPerYear,
        sessionAfter: bars.to < table.prices.days.length ? table.prices.days[bars.to]! : table.sessionAfter,
      },
      deflator: cut(conditions.deflator),
      flowDeflator: undefined,
      borrowingCosts: cut(conditions.borrowingCosts),
    },
    riskFree: riskFree?.subarray(bars.from, bars.to - 1),
    reference: reference?.growth && { name: reference.ticker, growth: reference.growth },
    priceDeflator: cut(priceLevelDays(seriesSet.lookUp) && deflator(seriesSet.lookUp, table.prices.days)),
    flows: {
      amount: settings.cashflow,
      frequency: settings.cashflowFrequency,
      kind: settings.cashflowKind ?? 'dollars',
    },
  } as const
  const decided = learns(strategy)
    ? mlTapes(strategy, table, bars, stored, settings)
    : hasBlocks(strategy)
      ? rulesTapes(request, strategy, table, seriesSet, settings, reached)
      : receivesSignals(strategy)
        ? externalTapes(strategy, table, settings)
        : allocationTapes(plan, table, seed)
  const learning =
    learns(strategy) && model ? learningOf(strategy, model, seriesSet, conditions, riskFree, reached) : undefined
  return { material: { ...common, ...decided, learning }, fingerprint: fingerprintOf(seriesSet.used.values()) }
}

type Decided = Pick<BoardMaterial, 'tape' | 'fillTiming' | 'rebalances' | 'holding' | 'neighbours' | 'laterChecks'>

interface Bars {
  readonly from: number
  readonly to: number
}

/** A model trades from its first prediction on. */
function tradedBars({ prices }: SimulationTable, stored: StoredSignals | undefined): Bars {
  if (!stored) return { from: 0, to: prices.timestamps.length }
  const from = prices.timestamps.findIndex((stamp) => stamp >= stored.timestamps[0]!)
  const to = prices.timestamps.findLastIndex((stamp) => stamp <= stored.timestamps.at(-1)!) + 1
  return { from: Math.max(0, from), to }
}

function allocationTapes(plan: BacktestPlan, { prices }: SimulationTable, seed: number): Decided {
  if (!isFixed(plan.strategy)) throw new Error('not an allocation')
  const weights = targetWeights(plan.strategy.allocation, prices.tickers)
  const bars = prices.timestamps.length
  return {
    tape: recordTape(bars, (bar) => (bar === 0 ? weights : undefined)),
    fillTiming: 'same_close',
    rebalances: true,
    holding: undefined,
    neighbours: nearbyMixes(weights, bars, deriveSeed(seed, 0x6d6978)),
    laterChecks: [],
  }
}

/** Signals come from outside: there are none nearby. */
function externalTapes(
  plan: ExternalPlan,
  { prices, decisionAt }: SimulationTable,
  settings: BacktestPlan['settings'],
): Decided {
  return {
    tape: recordTape(
      prices.timestamps.length,
      decideByTargets(plan, prices.tickers, (bar) => decisionAt[bar]),
    ),
    fillTiming: settings.fillTiming,
    rebalances: true,
    holding: undefined,
    neighbours: [],
    laterChecks: [],
  }
}

function mlTapes(
  plan: MlPlan,
  { prices }: SimulationTable,
  bars: Bars,
  stored: StoredSignals | undefined,
  settings: BacktestPlan['settings'],
): Decided {
  if (!stored) throw new Error('the board of a model needs what it predicted')
  const weights = { 1: targetWeights(plan.buy, prices.tickers), 0: targetWeights(plan.sell, prices.tickers) }
  const byStamp = new Map(Array.from(stored.timestamps, (stamp, row) => [stamp, row]))
  const rows = Array.from(prices.timestamps.subarray(bars.from, bars.to), (stamp) => byStamp.get(stamp) ?? -1)
  const known: Signals = {
    signals: Int8Array.from(rows, (row) => (row < 0 ? -1 : stored.signals[row]!)),
    probabilities: Float64Array.from(rows, (row) => (row < 0 ? Number.NaN : stored.probabilities[row]!)),
  }
  return {
    tape: signalTape(known.signals, weights),
    fillTiming: settings.fillTiming,
    rebalances: true,
    holding: { name: 'always holding the buy allocation', weights: weights[1] },
    neighbours: thresholdTapes(known, weights),
    laterChecks: [],
  }
}

/** Features and labels as the run had them. */
function learningOf(
  plan: MlPlan,
  model: ModelChoice,
  seriesSet: SeriesSet,
  conditions: RunConditions,
  riskFree: Column | undefined,
  reached: (note: string) => void,
): LearningMaterial {
  reached('Computing features')
  const { settings, table, deflator: real, borrowingCosts } = conditions
  const { matrix, target } = learnableRows(plan, seriesSet, table.decisionAt, uncontrolled)
  return {
    model,
    horizon: plan.horizon,
    columns: matrix.columns,
    labels: Int8Array.from(encodeLabels(target.labels)),
    usableRows: matrix.usableRows,
    weights: { 1: targetWeights(plan.buy, table.prices.tickers), 0: targetWeights(plan.sell, table.prices.tickers) },
    conditions: {
      settings,
      table: { prices: table.prices, barsPerYear: table.barsPerYear, sessionAfter: table.sessionAfter },
      deflator: real,
      flowDeflator: undefined,
      borrowingCosts,
    },
    riskFree,
  }
}

function rulesTapes(
  request: BacktestRequest,
  { program, tree }: RulesPlan,
  table: SimulationTable,
  seriesSet: SeriesSet,
  settings: BacktestPlan['settings'],
  reached: (note: string) => void,
): Decided {
  const bars = { ...table, timestamps: table.prices.timestamps, granularity: settings.granularity }
  const inputsOf = (one: RulesPlan['program']) => rulesInputs(one, bars, (ticker) => seriesSet.anchored(ticker))
  reached('Following the rules')
  const inputs = inputsOf(program)
  const tape = rulesTape(program, inputs)
  const trees = nearbyTrees(tree)
  const neighbours = trees.flatMap(({ label, tree: nearby }, i) => {
    reached(`Rules nearby, ${i + 1} of ${trees.length}`)
    try {
      const planned = planBacktest({ ...request, strategy: { kind: 'rules', tree: nearby } }).strategy
      return hasBlocks(planned) ? [{ label, tape: rulesTape(planned.program, inputsOf(planned.program)) }] : []
    } catch {
      // A number outside what its feature allows makes no neighbour.
      return []
    }
  })
  const shifts = Array.from({ length: rebalanceShifts(program.check) }, (_, i) => i + 1)
  return {
    tape,
    fillTiming: settings.fillTiming,
    rebalances: false,
    holding: { name: 'its average mix, held all the time', weights: averageWeights(tape) },
    neighbours,
    laterChecks: shifts.map((shift) => ({
      label: `${shift} later`,
      tape: rulesTape(program, laterInputs(inputs, shift)),
    })),
  }
}

/** The weights that were held on average over time. */
function averageWeights(tape: BoardMaterial['tape']): Float64Array {
  const held = heldPlaces(tape)
  const sums = new Float64Array(tape.weights[0]?.length ?? 0)
  for (const place of held) if (place >= 0) tape.weights[place]!.forEach((weight, i) => (sums[i]! += weight))
  return sums.map((sum) => sum / Math.max(1, held.length))
}
