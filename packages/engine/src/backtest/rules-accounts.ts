import type { Column } from '@tradewright/core/column'
import type { CheckFrequency } from '@tradewright/core/rules/tree'
import { DecisionRows, featureColumn } from '../features/feature-matrix.ts'
import type { PlannedFeature } from '../features/planned-feature.ts'
import { checkBars } from '../rules/checks.ts'
import { Ranking } from '../rules/division.ts'
import {
  answerColumn,
  growthColumn,
  isStateless,
  type KnownAnswers,
  RulesEvaluator,
  type RulesInputs,
} from '../rules/evaluator.ts'
import { daysOf } from '../rules/inputs.ts'
import type { ProgramCondition, ProgramOperand, RulesProgram } from '../rules/program.ts'
import { emptyColumns, type SimulationColumns } from '../trading/simulation-rules.ts'
import { type AccountRun, runAccount, type RunConditions } from './account-run.ts'
import type { SeriesSet } from './priced-series.ts'

/** So many bytes of each kind are kept for later variants: 2,000 feature columns of 20 years of days are 80 MB. */
const MAX_COLUMN_BYTES = 256 * 2 ** 20
const MAX_ANSWER_BYTES = 64 * 2 ** 20

/**
 * Runs accounts of rule programs that hold the same tickers on the same bars, one after the other. What they share
 * (prices, features with the same parameters, comparisons and rankings of them, days of checks) is computed once.
 */
export class RulesAccounts {
  readonly #conditions: RunConditions
  readonly #seriesSet: SeriesSet
  readonly #decisions: DecisionRows
  readonly #days: Omit<RulesInputs, 'columns'>
  readonly #features: BoundedCache<Column>
  readonly #answers: BoundedCache<Int8Array>
  readonly #rankings: BoundedCache<Ranking>
  readonly #checks = new Map<CheckFrequency, Uint8Array>()
  readonly #columns: SimulationColumns
  readonly #bars: number

  constructor(conditions: RunConditions, seriesSet: SeriesSet) {
    const { table, settings } = conditions
    const { timestamps } = table.prices
    this.#conditions = conditions
    this.#seriesSet = seriesSet
    this.#decisions = new DecisionRows(table.decisionAt)
    this.#days = daysOf({ ...table, timestamps, granularity: settings.granularity })
    this.#bars = timestamps.length
    this.#columns = emptyColumns(this.#bars)
    this.#features = new BoundedCache(MAX_COLUMN_BYTES)
    this.#answers = new BoundedCache(MAX_ANSWER_BYTES)
    this.#rankings = new BoundedCache(MAX_ANSWER_BYTES)
  }

  /** The account of `runRules`, to the last digit. Its columns are valid until the next run. */
  run(program: RulesProgram): AccountRun {
    const { prices } = this.#conditions.table
    const columns = program.features.map((feature) => this.#feature(feature))
    const checks = this.#checksOf(program.check)
    const growth = program.priceColumns.map((column) =>
      this.#growthOf(program.features[column]!, program.check, checks),
    )
    const known = { checks, growth, ...this.#known(program, columns) }
    const evaluator = new RulesEvaluator(program, { columns, ...this.#days, known })
    return runAccount(
      this.#conditions,
      prices,
      { from: 0, to: this.#bars },
      {
        decide: (bar) => evaluator.tradeAt(bar),
        decisionBars: checks,
        fillTiming: this.#conditions.settings.fillTiming,
        rebalance: false,
        columns: this.#columns,
      },
    )
  }

  #feature(planned: PlannedFeature): Column {
    return this.#features.get(
      planned.label,
      () => 8 * this.#bars,
      () => featureColumn(planned, (ticker) => this.#seriesSet.anchored(ticker), this.#decisions),
    )
  }

  #growthOf(price: PlannedFeature, check: CheckFrequency, checks: Uint8Array): Column {
    return this.#features.get(
      `${check} ${price.label}`,
      () => 8 * this.#bars,
      () => growthColumn(this.#feature(price), checks),
    )
  }

  #known(
    { conditions, sleeves, features }: RulesProgram,
    columns: readonly Column[],
  ): Pick<KnownAnswers, 'answers' | 'rankings'> {
    const operandKey = ({ constant, terms }: ProgramOperand) =>
      `${constant}${terms.map(({ column, times }) => `+${times}*${features[column]!.label}`).join('')}`
    return {
      answers: conditions.map((condition) => this.#answersOf(condition, columns, operandKey)),
      rankings: sleeves.map(({ division }) => {
        if (division.kind !== 'pick' || division.order === undefined) return undefined
        const { members, order } = division
        const key = `${order} ${members.map(({ score }) => (score ? operandKey(score) : '')).join(' ')}`
        return this.#rankings.get(
          key,
          () => Ranking.bytes(members.length, this.#bars),
          () => new Ranking(members.length, this.#bars),
        )
      }),
    }
  }

  #answersOf(
    condition: ProgramCondition,
    columns: readonly Column[],
    operandKey: (operand: ProgramOperand) => string,
  ): Int8Array | undefined {
    if (!isStateless(condition)) return undefined
    const { left, right, direction, tolerance } = condition
    const width = tolerance ? `${tolerance.size} ${tolerance.unit}` : ''
    return this.#answers.get(
      `${operandKey(left)} ${direction} ${operandKey(right)} ${width}`,
      () => this.#bars,
      () => answerColumn(condition, columns, this.#bars),
    )
  }

  /** By the clock of an evaluator that begins with the first bar. */
  #checksOf(frequency: CheckFrequency): Uint8Array {
    const known = this.#checks.get(frequency)
    if (known) return known
    const checks = checkBars(frequency, this.#days.days, this.#days.followingDays)
    this.#checks.set(frequency, checks)
    return checks
  }
}

/** The oldest go: variants of a grid come in an order in which what is used again is used soon. */
class BoundedCache<Value> {
  readonly #values = new Map<string, { readonly value: Value; readonly bytes: number }>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string, bytesOf: () => number, make: () => Value): Value {
    const known = this.#values.get(key)
    if (known) return known.value
    const value = make()
    const bytes = bytesOf()
    for (const [oldest, { bytes: freed }] of this.#values) {
      if (this.#bytes + bytes <= this.#maxBytes) break
      this.#values.delete(oldest)
      this.#bytes -= freed
    }
    this.#values.set(key, { value, bytes })
    this.#bytes += bytes
    return value
  }
}
