import type { Column } from '@tradewright/core/column'
import type { UtcMillis } from '@tradewright/core/time'
import { textFingerprint } from '../backtest/fingerprint.ts'
import type { RulesPlan } from '../backtest/plan.ts'
import type { BacktestSettings } from '../backtest/request.ts'
import { type RebalanceReason, RulesEvaluator } from '../rules/evaluator.ts'
import type { RulesInputs } from '../rules/inputs.ts'
import type { ProgramCondition, RulesProgram } from '../rules/program.ts'
import type { RulesState } from '../rules/state.ts'

/** A condition that keeps its answer: a latch, or a comparison with a latched tolerance. */
interface LatchState {
  readonly id: string
  /** The member that a pick's condition was asked for; null elsewhere. */
  readonly ticker: string | null
  /** Null until it has had an answer. */
  readonly isOn: boolean | null
}

/** All that a decision by rules leaves to the next one, as plain JSON. */
export interface RulesMemory {
  /** The strategy that it belongs to: of another one, nothing is carried on. */
  readonly strategy: string
  /** The newest bar that was evaluated. */
  readonly bar: UtcMillis
  /** By ticker, what is to be held after that bar; what is missing to 1 is cash. Between checks they drift with the closes. */
  readonly weights: Readonly<Record<string, number>>
  /** The last check; null before the first. */
  readonly check: {
    readonly bar: UtcMillis
    /** Each `if` that is held, from the root on, and its branch. */
    readonly way: readonly { readonly id: string; readonly branch: 'yes' | 'no' }[]
    /** What each pick that is held chose. */
    readonly chosen: readonly { readonly id: string; readonly tickers: readonly string[] }[]
    readonly latches: readonly LatchState[]
  } | null
  /** The last check that wanted to trade, and the blocks that were divided anew there; null before the first. */
  readonly trade: {
    readonly bar: UtcMillis
    readonly blocks: readonly { readonly id: string; readonly reason: RebalanceReason }[]
  } | null
  readonly state: RulesState
}

/** What the memory of rules depends on: with another tree, start or kind of price, checks come out differently. */
export const rulesKey = (
  { tree }: RulesPlan,
  { from, granularity, reinvestDividends }: Pick<BacktestSettings, 'from' | 'granularity' | 'reinvestDividends'>,
): string => textFingerprint(JSON.stringify([tree, from, granularity, reinvestDividends], inOrder))

/** A database may return keys in another order. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/**
 * Follows rules bar by bar, as a deployment does: at each bar it knows what is to be held, whether or not the bar has a
 * check. Made with the memory of an earlier one it goes on as that one would.
 */
export class RulesFollower {
  readonly #program: RulesProgram
  readonly #inputs: RulesInputs
  readonly #timestamps: Float64Array
  readonly #evaluator: RulesEvaluator
  readonly #strategy: string
  #weights: Float64Array
  #check: RulesMemory['check'] = null
  #trade: RulesMemory['trade'] = null
  #next = 0
  /** The newest bar that was evaluated, also where the data no longer has it. */
  #bar: UtcMillis

  constructor(
    strategy: string,
    program: RulesProgram,
    inputs: RulesInputs,
    timestamps: Float64Array,
    before?: RulesMemory,
  ) {
    const known = before?.strategy === strategy ? before : undefined
    this.#strategy = strategy
    this.#program = program
    this.#inputs = inputs
    this.#timestamps = timestamps
    this.#weights = Float64Array.from(program.tickers, (ticker) => known?.weights[ticker] ?? 0)
    this.#bar = known?.bar ?? timestamps[0]!
    if (known) {
      const next = timestamps.findIndex((stamp) => stamp > known.bar)
      this.#next = next < 0 ? timestamps.length : next
      this.#check = known.check
      this.#trade = known.trade
    }
    this.#evaluator = new RulesEvaluator(program, inputs, known && this.#repriced(known))
  }

  /** Up to the bar, this one included; bars that were evaluated before are left out. */
  follow(to: number): void {
    for (; this.#next <= to; this.#next++) this.#step(this.#next)
  }

  /** By ticker of the program, after the last bar that was followed. */
  get weights(): Float64Array {
    return this.#weights
  }

  /** The last check that wanted to trade; null before the first. */
  get tradeBar(): UtcMillis | null {
    return this.#trade?.bar ?? null
  }

  memory(): RulesMemory {
    return {
      strategy: this.#strategy,
      bar: this.#bar,
      weights: Object.fromEntries(this.#program.tickers.map((ticker, i) => [ticker, this.#weights[i]!])),
      check: this.#check,
      trade: this.#trade,
      state: this.#evaluator.state(),
    }
  }

  #step(bar: number): void {
    this.#bar = this.#timestamps[bar]!
    const check = this.#evaluator.evaluate(bar)
    this.#weights = check ? check.weights : this.#drifted(bar)
    if (!check) return
    const stamp = this.#timestamps[bar]!
    this.#check = { bar: stamp, ...this.#explained() }
    if (check.trades) {
      this.#trade = { bar: stamp, blocks: check.rebalanced.map(({ id, reason }) => ({ id, reason })) }
    }
  }

  #drifted(bar: number): Float64Array {
    if (bar === 0) return this.#weights
    const grown = this.#weights.map((weight, i) => {
      const column = this.#inputs.columns[this.#program.priceColumns[i]!]!
      return weight === 0 ? 0 : weight * growthOf(column, bar)
    })
    const cash = 1 - sumOf(this.#weights)
    const total = cash + sumOf(grown)
    return total > 0 ? grown.map((weight) => weight / total) : this.#weights
  }

  /** Where data was corrected since, the drift since the last check is that of the prices as they are now. */
  #repriced({ state, check }: RulesMemory): RulesState {
    const row = check ? this.#timestamps.indexOf(check.bar) : -1
    if (row < 0) return state
    const { tickers, priceColumns } = this.#program
    const prices = tickers.flatMap((ticker, i) => {
      const price = this.#inputs.columns[priceColumns[i]!]![row]!
      return price > 0 ? [[ticker, price] as const] : []
    })
    return { ...state, prices: { ...state.prices, ...Object.fromEntries(prices) } }
  }

  #explained(): Omit<NonNullable<RulesMemory['check']>, 'bar'> {
    const { forks, sleeves, conditions, tickers } = this.#program
    const { answers, branches } = this.#evaluator
    return {
      way: forks.flatMap(({ id, place }) =>
        branches[place] === -1 ? [] : [{ id, branch: branches[place] === 1 ? ('yes' as const) : ('no' as const) }],
      ),
      chosen: sleeves.flatMap(({ id, place, parts }) => {
        const choices = this.#evaluator.choices(place)
        if (!choices) return []
        const held = choices.filter(({ weight }) => weight !== 0).map(({ member }) => parts[member])
        const names = held.flatMap((part) => (typeof part === 'number' ? [part < 0 ? 'CASHX' : tickers[part]!] : []))
        return [{ id, tickers: names }]
      }),
      latches: conditions.flatMap((condition, i) => {
        if (!keepsItsAnswer(condition)) return []
        const { id, key } = condition
        const ticker = key === id ? null : key.slice(id.length + 1)
        return [{ id, ticker, isOn: answers[i] === -1 ? null : answers[i] === 1 }]
      }),
    }
  }
}

const keepsItsAnswer = (condition: ProgramCondition): boolean =>
  condition.kind === 'latch' || (condition.kind === 'compare' && (condition.tolerance?.latched ?? false))

function growthOf(column: Column, bar: number): number {
  const [before, now] = [column[bar - 1]!, column[bar]!]
  return before > 0 && now > 0 ? now / before : 1
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

/** Names the trade that the rules want last: a deployment that carried it out has nothing to trade. */
export const wantedTrade = ({ strategy, trade }: RulesMemory): string => `${strategy} ${trade?.bar ?? ''}`
