import type { RulesCheck, RulesEvaluator } from '../rules/evaluator.ts'
import type { RulesProgram } from '../rules/program.ts'
import type { BlockActivity, RuleChange, RulesResult } from './rules-result.ts'

/** More than a screen can list, and few enough to be stored. */
const MAX_CHANGES = 5000

/** Follows an evaluator from check to check and notes what changed. */
export class RulesRecorder {
  readonly #program: RulesProgram
  readonly #evaluator: RulesEvaluator
  readonly #timestamps: number[] = []
  readonly #trades: number[] = []
  readonly #weights: number[][]
  readonly #ways = new Map<string, number>()
  readonly #way: number[] = []
  readonly #activity = new Map<string, { checksHeld: number; rebalances: number; turnover: number }>()
  #changes: RuleChange[] = []
  #leftOut = 0
  #answers: Int8Array
  #branches: Int8Array
  readonly #choices: string[]

  constructor(program: RulesProgram, evaluator: RulesEvaluator) {
    this.#program = program
    this.#evaluator = evaluator
    this.#weights = program.tickers.map(() => [])
    this.#answers = new Int8Array(program.conditions.length).fill(-1)
    this.#branches = new Int8Array(program.forks.length).fill(-1)
    this.#choices = program.sleeves.map(() => '')
  }

  record(timestamp: number, { weights, trades, rebalanced }: RulesCheck): void {
    const check = this.#timestamps.length
    this.#timestamps.push(timestamp)
    this.#trades.push(trades ? 1 : 0)
    weights.forEach((weight, i) => this.#weights[i]!.push(weight))
    this.#noteAnswers(check)
    this.#noteBranches(check)
    this.#noteChoices(check)
    for (const { id, reason, turnover } of rebalanced) {
      const activity = this.#activityOf(id)
      activity.rebalances++
      activity.turnover += turnover
      // A block that is divided anew at every check says so in the tree.
      if (reason !== 'check') this.#note({ check, id, what: 'rebalance', now: reason, before: '' })
    }
    if (this.#changes.length > 2 * MAX_CHANGES) this.#forget()
  }

  result(): Omit<RulesResult, 'honesty'> {
    this.#forget()
    const { tickers, features } = this.#program
    return {
      timestamps: Float64Array.from(this.#timestamps),
      trades: Int8Array.from(this.#trades),
      tickers,
      weights: this.#weights.map((column) => Float64Array.from(column)),
      ways: [...this.#ways.keys()],
      way: Int32Array.from(this.#way),
      blocks: Array.from(this.#activity, ([id, activity]): BlockActivity => ({ id, ...activity })),
      changes: this.#changes,
      changesLeftOut: this.#leftOut,
      answers: this.#program.conditions.map(({ id, key }, i) => ({
        id,
        ticker: memberOf(id, key),
        answer: this.#answers[i] === -1 ? null : this.#answers[i] === 1,
      })),
      branches: this.#program.forks.map(({ id, place }) => ({ id, branch: ANSWERS[this.#branches[place]! + 1]! })),
      featureLabels: features.map(({ label }) => label),
    }
  }

  #noteAnswers(check: number): void {
    const { answers } = this.#evaluator
    this.#program.conditions.forEach((condition, i) => {
      if (answers[i] === this.#answers[i]) return
      const values = condition.kind === 'compare' ? this.#evaluator.valuesOf(condition) : undefined
      this.#note({
        check,
        id: condition.id,
        ticker: memberOf(condition.id, condition.key),
        what: 'answer',
        now: ANSWERS[answers[i]! + 1]!,
        before: ANSWERS[this.#answers[i]! + 1]!,
        left: known(values?.left),
        right: known(values?.right),
      })
    })
    this.#answers = answers.slice()
  }

  #noteBranches(check: number): void {
    const { branches } = this.#evaluator
    const { forks } = this.#program
    forks.forEach(({ id, place }) => {
      if (branches[place] !== -1) this.#activityOf(id).checksHeld++
      if (branches[place] === this.#branches[place]) return
      const [now, before] = [ANSWERS[branches[place]! + 1]!, ANSWERS[this.#branches[place]! + 1]!]
      this.#note({ check, id, what: 'branch', now, before })
    })
    this.#branches = branches.slice()
    const way = forks
      .flatMap(({ id, place }) => (branches[place] === -1 ? [] : [`${id} ${ANSWERS[branches[place]! + 1]!}`]))
      .join(', ')
    if (!this.#ways.has(way)) this.#ways.set(way, this.#ways.size)
    this.#way.push(this.#ways.get(way)!)
  }

  #noteChoices(check: number): void {
    const { sleeves, tickers } = this.#program
    for (const { id, place, parts } of sleeves) {
      const isHeld = this.#evaluator.isHeld(place)
      if (isHeld) this.#activityOf(id).checksHeld++
      const chosen = (this.#evaluator.choices(place) ?? []).flatMap(({ member, weight }) => {
        const part = parts[member]!
        return weight > 0 && typeof part === 'number' ? [part < 0 ? 'CASHX' : tickers[part]!] : []
      })
      const now = chosen.join(', ')
      if (now !== this.#choices[place] && isHeld) {
        this.#note({ check, id, what: 'choice', now, before: this.#choices[place]! })
      }
      this.#choices[place] = now
    }
  }

  #note(change: Omit<RuleChange, 'ticker' | 'left' | 'right'> & Partial<RuleChange>): void {
    this.#changes.push({ ticker: undefined, left: undefined, right: undefined, ...change })
  }

  #forget(): void {
    const many = this.#changes.length - MAX_CHANGES
    if (many <= 0) return
    this.#changes = this.#changes.slice(many)
    this.#leftOut += many
  }

  #activityOf(id: string) {
    const known = this.#activity.get(id)
    if (known) return known
    const activity = { checksHeld: 0, rebalances: 0, turnover: 0 }
    this.#activity.set(id, activity)
    return activity
  }
}

/** The ticker of a pick's condition. */
const memberOf = (id: string, key: string): string | undefined => (key === id ? undefined : key.slice(id.length + 1))

const known = (value: number | undefined): number | undefined =>
  value === undefined || Number.isNaN(value) ? undefined : value

const ANSWERS = ['', 'no', 'yes'] as const
