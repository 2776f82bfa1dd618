import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import type { CheckFrequency, RulesTree } from '@tradewright/core/rules/tree'
import { DecisionRows, featureColumn } from '../features/feature-matrix.ts'
import type { PlannedFeature } from '../features/planned-feature.ts'
import { checkBars } from '../rules/checks.ts'
import { RulesEvaluator, type RulesInputs } from '../rules/evaluator.ts'
import { daysOf } from '../rules/inputs.ts'
import type { RulesProgram } from '../rules/program.ts'
import { emptyColumns, type SimulationColumns } from '../trading/simulation.ts'
import { type AccountRun, livedBars, runAccount, runConditions, type RunConditions } from './account-run.ts'
import type { MarketData } from './market-data.ts'
import { chosenMetrics, type SingleMetrics, type Yardsticks } from './metrics.ts'
import { type BacktestPlan, planBacktest, shortTickers } from './plan.ts'
import { SeriesSet } from './priced-series.ts'
import { type RunControl, stopIfCancelled, uncontrolled } from './progress.ts'
import { provenanceOf, refuseMixedPrices, usesOf } from './provenance.ts'
import { referencePrices, runReference } from './reference.ts'
import type { BacktestSettings } from './request.ts'
import { realReturns, riskFreeReturns } from './risk-free.ts'
import { simulationTable } from './simulation-table.ts'

/** The metrics that were asked for, or why the variant has none. */
export type VariantFigures<Key extends keyof SingleMetrics> = Pick<SingleMetrics, Key> | Problem

/**
 * Metrics of many rule trees on one data set, in their order. Each value is that of `runBacktest` for this tree to the last
 * digit; what the variants share (prices, features with the same parameters, days of checks) is computed once.
 */
export function sweepVariants<Key extends keyof SingleMetrics>(
  settings: BacktestSettings,
  variants: readonly RulesTree[],
  data: MarketData,
  metrics: readonly Key[],
  control: RunControl = uncontrolled,
): VariantFigures<Key>[] {
  const grounds = new Map<string, SweepGround>()
  return variants.map((tree) => {
    stopIfCancelled(control)
    try {
      const plan = planBacktest({ ...settings, strategy: { kind: 'rules', tree } })
      const shorts = shortTickers(plan.strategy)
      const key = JSON.stringify([plan.tradedTickers, shorts.length > 0])
      const ground = grounds.get(key) ?? groundOf(plan, data)
      grounds.set(key, ground)
      return figuresOf(ground, programOf(plan), metrics)
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
  })
}

/** What all variants that may hold the same tickers share. */
interface SweepGround {
  readonly accounts: RulesAccounts
  readonly yardsticks: Yardsticks
  readonly referenceGrowth: Column | undefined
}

function groundOf(plan: BacktestPlan, data: MarketData): SweepGround {
  const { settings, strategy, tradedTickers, referenceTicker, riskFreeTicker } = plan
  const book = new SeriesSet(data, settings)
  const table = simulationTable(book, tradedTickers, settings)
  refuseMixedPrices(provenanceOf(book.used.values(), usesOf(plan)), settings.allowMixedPrices)
  const conditions = runConditions(book.lookUp, table, settings, shortTickers(strategy).length > 0)
  const { returns } = riskFreeReturns(book, riskFreeTicker, table)
  const yardsticks = { barsPerYear: table.barsPerYear, riskFree: realReturns(returns, conditions.deflator) }
  const bars = { from: 0, to: table.decisionAt.length }
  const reference =
    referenceTicker === undefined
      ? undefined
      : runReference(conditions, referencePrices(book, referenceTicker, conditions), bars, yardsticks)
  return { accounts: new RulesAccounts(conditions, book), yardsticks, referenceGrowth: reference?.growth }
}

function programOf({ strategy }: BacktestPlan): RulesProgram {
  if (strategy.kind !== 'rules') throw new Error('a variant of rules is rules')
  return strategy.program
}

function figuresOf<Key extends keyof SingleMetrics>(
  { accounts, yardsticks, referenceGrowth }: SweepGround,
  program: RulesProgram,
  metrics: readonly Key[],
): Pick<SingleMetrics, Key> {
  const account = accounts.run(program)
  const lived = livedBars(account)
  return chosenMetrics(
    {
      days: account.prices.days.subarray(0, lived),
      growth: account.growth.subarray(0, lived),
      result: account.result,
      yardsticks: { ...yardsticks, riskFree: yardsticks.riskFree?.subarray(0, lived - 1) },
      reference: referenceGrowth?.subarray(0, lived),
    },
    metrics,
  )
}

/** So many bytes of feature columns are kept for later variants: 2,000 columns of 20 years of days are 80 MB. */
const MAX_COLUMN_BYTES = 256 * 2 ** 20

/** Runs accounts of rule programs that hold the same tickers on the same bars, one after the other. */
export class RulesAccounts {
  readonly #conditions: RunConditions
  readonly #book: SeriesSet
  readonly #decisions: DecisionRows
  readonly #days: Omit<RulesInputs, 'columns'>
  readonly #features = new Map<string, Column>()
  readonly #checks = new Map<CheckFrequency, Uint8Array>()
  readonly #columns: SimulationColumns
  readonly #maxFeatures: number

  constructor(conditions: RunConditions, book: SeriesSet) {
    const { table, settings } = conditions
    const { timestamps } = table.prices
    this.#conditions = conditions
    this.#book = book
    this.#decisions = new DecisionRows(table.decisionAt)
    this.#days = daysOf({ ...table, timestamps, granularity: settings.granularity })
    this.#columns = emptyColumns(timestamps.length)
    this.#maxFeatures = Math.max(1, Math.floor(MAX_COLUMN_BYTES / (8 * timestamps.length)))
  }

  /** The account of `runRules`, to the last digit. Its columns are valid until the next run. */
  run(program: RulesProgram): AccountRun {
    const { prices } = this.#conditions.table
    const inputs = { columns: program.features.map((feature) => this.#feature(feature)), ...this.#days }
    const evaluator = new RulesEvaluator(program, inputs)
    const checks = this.#checksOf(program.check)
    return runAccount(
      this.#conditions,
      prices,
      { from: 0, to: prices.timestamps.length },
      {
        // The first bar sets the evaluator's clock.
        decide: (bar) => (checks[bar] === 1 || bar === 0 ? evaluator.tradeAt(bar) : undefined),
        fillTiming: this.#conditions.settings.fillTiming,
        rebalance: false,
        columns: this.#columns,
      },
    )
  }

  #feature(planned: PlannedFeature): Column {
    const known = this.#features.get(planned.label)
    if (known) return known
    const column = featureColumn(planned, (ticker) => this.#book.anchored(ticker), this.#decisions)
    // The oldest goes: variants of a grid come in an order in which what is used again is used soon.
    if (this.#features.size >= this.#maxFeatures) this.#features.delete(this.#features.keys().next().value!)
    this.#features.set(planned.label, column)
    return column
  }

  #checksOf(frequency: CheckFrequency): Uint8Array {
    const known = this.#checks.get(frequency)
    if (known) return known
    const checks = checkBars(frequency, this.#days.days, this.#days.followingDays)
    this.#checks.set(frequency, checks)
    return checks
  }
}
