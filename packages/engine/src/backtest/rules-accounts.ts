import type { Column } from '@tradewright/core/column'
import type { CheckFrequency } from '@tradewright/core/rules/tree'
import { DecisionRows, featureColumn } from '../features/feature-matrix.ts'
import type { PlannedFeature } from '../features/planned-feature.ts'
import { checkBars } from '../rules/checks.ts'
import { RulesEvaluator, type RulesInputs } from '../rules/evaluator.ts'
import { daysOf } from '../rules/inputs.ts'
import type { RulesProgram } from '../rules/program.ts'
import { emptyColumns, type SimulationColumns } from '../trading/simulation.ts'
import { type AccountRun, runAccount, type RunConditions } from './account-run.ts'
import type { SeriesSet } from './priced-series.ts'

/** So many bytes of feature columns are kept for later variants: 2,000 columns of 20 years of days are 80 MB. */
const MAX_COLUMN_BYTES = 256 * 2 ** 20

/**
 * Runs accounts of rule programs that hold the same tickers on the same bars, one after the other. What they share
 * (prices, features with the same parameters, days of checks) is computed once.
 */
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
