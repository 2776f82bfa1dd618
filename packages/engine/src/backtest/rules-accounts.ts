import type { Column } from '@tradewright/core/column'
import type { CheckFrequency } from '@tradewright/core/rules/tree'
import { DecisionRows, featureColumn } from '../features/feature-matrix.ts'
import type { PlannedFeature } from '../features/catalogue.ts'
import { checkBars } from '../rules/checks.ts'
import { Ranking } from '../rules/division.ts'
import { answerColumn, type Comparison, isStateless } from '../rules/conditions.ts'
import { sleevesThatDrift } from '../rules/drift.ts'
import { RulesEvaluator } from '../rules/evaluator.ts'
import { growthRows } from '../rules/ticker-growth.ts'
import { daysOf, type KnownAnswers, type RulesInputs } from '../rules/inputs.ts'
import type { ProgramOperand, RulesProgram } from '../rules/program.ts'
import { emptyColumns, type SimulationColumns } from '../trading/simulation-rules.ts'
import { type AccountRun, runAccount, type RunConditions } from './account-run.ts'
import type { SeriesSet } from './priced-series.ts'

/** So many bytes of each kind are kept for later variants: 2,000 feature columns of 20 years of days are 80 MB. */
const MAX_COLUMN_BYTES = 256 * 2 ** 20
const MAX_ANSWER_BYTES = 64 * 2 ** 20

interface Growth {
  /** See `growthRows`. */
  readonly growth: Float64Array
  /** The highest price divided by the lowest, for the ticker where that is most. */
  readonly extent: number
}

/**
 * Runs accounts of rule programs that hold the same tickers on the same bars, one after the other. What they share
 * (prices, features with the same parameters, comparisons and rankings of them, days of checks) is computed once.
 */
export class RulesAccounts {
  readonly #conditions: RunConditions
  readonly #seriesSet: SeriesSet
  readonly #rows: DecisionRows
  readonly #days: Omit<RulesInputs, 'columns'>
  readonly #features: BoundedCache<Column>
  readonly #growths: BoundedCache<Growth>
  readonly #answers: BoundedCache<Int8Array>
  readonly #rankings: BoundedCache<Ranking>
  readonly #checks = new Map<CheckFrequency, Uint8Array>()
  readonly #columns: SimulationColumns
  readonly #bars: number
  /** The weights of each decision, used again by the next program. */
  readonly #decisions: Float64Array[] = []
  /** For each bar that trades, the place of its decision in `#decisions`. */
  readonly #decisionAt: Int32Array

  constructor(conditions: RunConditions, seriesSet: SeriesSet) {
    const { table, settings } = conditions
    const { timestamps } = table.prices
    this.#conditions = conditions
    this.#seriesSet = seriesSet
    this.#rows = new DecisionRows(table.decisionAt)
    this.#days = daysOf({ ...table, timestamps, granularity: settings.granularity })
    this.#bars = timestamps.length
    this.#columns = emptyColumns(this.#bars)
    this.#decisionAt = new Int32Array(this.#bars)
    this.#features = new BoundedCache(MAX_COLUMN_BYTES)
    this.#growths = new BoundedCache(MAX_ANSWER_BYTES)
    this.#answers = new BoundedCache(MAX_ANSWER_BYTES)
    this.#rankings = new BoundedCache(MAX_ANSWER_BYTES)
  }

  /** The account of `runRules`, to the last digit. Its columns are valid until the next run. */
  run(program: RulesProgram): AccountRun {
    const { prices } = this.#conditions.table
    const columns = program.features.map((feature) => this.#feature(feature))
    const checks = this.#checksOf(program.check)
    const { growth, extent } = this.#growthOf(program, checks)
    const drifts = sleevesThatDrift(program, extent)
    const known = { checks, growth, drifts, ...this.#known(program, columns) }
    const evaluator = new RulesEvaluator(program, { columns, ...this.#days, known })
    const decisionBars = this.#decide(program, evaluator, checks)
    return runAccount(
      this.#conditions,
      prices,
      { from: 0, to: this.#bars },
      {
        decide: (bar) => this.#decisions[this.#decisionAt[bar]!],
        decisionBars,
        fillTiming: this.#conditions.settings.fillTiming,
        rebalance: false,
        columns: this.#columns,
      },
    )
  }

  /** Decides at all checks, since rules do not ask for the account. Gives 1 at the bars that trade. */
  #decide(program: RulesProgram, evaluator: RulesEvaluator, checks: Uint8Array): Uint8Array {
    const trades = new Uint8Array(this.#bars)
    let decisions = 0
    for (let bar = 0; bar < this.#bars; bar++) {
      if (checks[bar] !== 1) continue
      const weights = (this.#decisions[decisions] ??= new Float64Array(program.tickers.length))
      if (!evaluator.tradeAt(bar, weights)) continue
      trades[bar] = 1
      this.#decisionAt[bar] = decisions++
    }
    return trades
  }

  #feature(planned: PlannedFeature): Column {
    return this.#features.get(
      planned.label,
      () => 8 * this.#bars,
      () => featureColumn(planned, (ticker) => this.#seriesSet.anchored(ticker), this.#rows),
    )
  }

  #growthOf({ features, priceColumns, check }: RulesProgram, checks: Uint8Array): Growth {
    const prices = priceColumns.map((column) => features[column]!)
    return this.#growths.get(
      `${check} ${prices.map(({ label }) => label).join(' ')}`,
      () => 8 * this.#bars * prices.length,
      () => {
        const columns = prices.map((price) => this.#feature(price))
        return { growth: growthRows(columns, checks), extent: Math.max(1, ...columns.map(extentOf)) }
      },
    )
  }

  #known(
    { conditions, sleeves, features }: RulesProgram,
    columns: readonly Column[],
  ): Pick<KnownAnswers, 'answers' | 'rankings'> {
    const operandKey = ({ constant, terms }: ProgramOperand) =>
      `${constant}${terms.map(({ column, times }) => `+${times}*${features[column]!.label}`).join('')}`
    const keys = conditions.map((condition) => (isStateless(condition) ? comparisonKey(condition, operandKey) : ''))
    const answers = conditions.map((condition, i) => {
      if (!isStateless(condition)) return undefined
      return this.#answers.get(
        keys[i]!,
        () => this.#bars,
        () => answerColumn(condition, columns, this.#bars),
      )
    })
    const rankings = sleeves.map(({ division }) => {
      if (division.kind !== 'pick' || division.order === undefined) return undefined
      const { members, order, risk, volatilityTarget } = division
      const isFinal =
        !risk &&
        !volatilityTarget &&
        members.every(({ eligible }) => eligible === undefined || isStateless(conditions[eligible]!))
      const ofMembers = members.map(
        ({ score, eligible }) =>
          `${score ? operandKey(score) : ''} if ${eligible === undefined ? '' : keys[eligible]!}`,
      )
      return this.#rankings.get(
        `${order} ${isFinal} ${ofMembers.join(' ')}`,
        () => Ranking.bytes(members.length, this.#bars),
        () => {
          const eligible = members.map(({ eligible: place }) => (place === undefined ? undefined : answers[place]))
          return new Ranking(eligible, isFinal, this.#bars)
        },
      )
    })
    return { answers, rankings }
  }

  /** The bars that have a check, by the clock of an evaluator that begins with the first bar. */
  #checksOf(frequency: CheckFrequency): Uint8Array {
    const known = this.#checks.get(frequency)
    if (known) return known
    const checks = checkBars(frequency, this.#days.days, this.#days.followingDays)
    this.#checks.set(frequency, checks)
    return checks
  }
}

function extentOf(prices: Column): number {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, 0]
  for (let bar = 0; bar < prices.length; bar++) {
    const price = prices[bar]!
    if (!(price > 0)) continue
    if (price < lowest) lowest = price
    if (price > highest) highest = price
  }
  return highest / lowest
}

function comparisonKey(
  { left, right, direction, tolerance }: Comparison,
  operandKey: (operand: ProgramOperand) => string,
): string {
  const width = tolerance ? `${tolerance.size} ${tolerance.unit}` : ''
  return `${operandKey(left)} ${direction} ${operandKey(right)} ${width}`
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
