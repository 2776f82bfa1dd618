import { hasEnded } from './checks.ts'
import { ConditionAnswers } from './condition-answers.ts'
import { type Comparison, NO, UNKNOWN, YES } from './conditions.ts'
import { type Choice, choosesAgain, divide, type DivisionInputs, Picked } from './division.ts'
import { isOfTickers, isSameSide } from './drift.ts'
import type { Fork, PickDivision, ProgramNode, RulesProgram, Sleeve } from './program.ts'
import type { KnownAnswers, RulesInputs } from './inputs.ts'
import type { RulesState } from './state.ts'
import { TickerGrowth } from './ticker-growth.ts'

/** Why a block was divided anew. */
export type RebalanceReason = 'entered' | 'check' | 'calendar' | 'band' | 'change'

interface Rebalanced {
  readonly id: string
  readonly reason: RebalanceReason
  /** Half of the weights that changed, as a fraction of the account: what is sold and bought. */
  readonly turnover: number
}

export interface RulesCheck {
  /** By ticker of the program; what is missing to 1 is cash. */
  readonly weights: Float64Array
  /** Blocks that were divided anew. */
  readonly rebalanced: readonly Rebalanced[]
  /** Whether the account is to be brought to the weights: at the first check, and where a block was divided anew. */
  readonly trades: boolean
}

/**
 * Evaluates a program bar by bar. The only memory between two bars is the state: an evaluator that was given the state of
 * another goes on as that one would.
 */
export class RulesEvaluator {
  readonly #program: RulesProgram
  readonly #inputs: RulesInputs
  readonly #conditions: ConditionAnswers
  readonly #growth: TickerGrowth
  /** By fork: the branch it is on. */
  readonly #branches: Int8Array
  /** By sleeve: its parts and the rest; undefined while it is not held. */
  readonly #held: (Float64Array | undefined)[]
  /** By sleeve: what `#held` is not using at a check, to be filled in. */
  readonly #buffers: { drifted: Float64Array; fresh: Float64Array }[]
  /** By sleeve: what a pick chose at the last check, where it was held. */
  readonly #picked: readonly Picked[]
  /** By sleeve of tickers alone: the ticker of each part and of the rest, -1 for CASHX. */
  readonly #leaves: readonly (Int32Array | undefined)[]
  /** The final ranking of each sleeve on which a trade depends only by whom the ranking chooses. */
  readonly #choosers: readonly (PickDivision | undefined)[]
  #clock = Number.NaN
  #checks = 0
  #bar = 0
  /** The clock of the check before. */
  #lastClock = Number.NaN
  /** The weights by ticker at the last check. */
  readonly #weights: Float64Array
  /** Whether a block was divided anew at the last check, and which, where it is recorded. */
  #isRebalanced = false
  #rebalanced: Rebalanced[] = []
  /** An evaluator of known answers is asked for trades alone. */
  readonly #records: boolean
  readonly #divisionInputs: DivisionInputs & { bar: number }

  constructor(program: RulesProgram, inputs: RulesInputs, state?: RulesState) {
    this.#program = program
    this.#inputs = inputs
    this.#records = inputs.known === undefined
    const { forks, sleeves, tickers } = program
    this.#conditions = new ConditionAnswers(program.conditions, inputs, state)
    this.#growth = new TickerGrowth(program, inputs, state)
    this.#branches = Int8Array.from(forks, ({ key }) => branchCode(state?.branches[key]))
    this.#held = sleeves.map(({ key }) => {
      const held = state?.held[key]
      return held && Float64Array.from(held)
    })
    this.#buffers = sleeves.map(({ parts: { length } }) => ({
      drifted: new Float64Array(length + 1),
      fresh: new Float64Array(length + 1),
    }))
    this.#picked = sleeves.map(({ division, parts }) => new Picked(division.kind === 'pick' ? parts.length : 0))
    this.#leaves = sleeves.map((sleeve) => leavesOf(sleeve, program.cash))
    this.#choosers = sleeves.map((sleeve) => inputs.known && chooserOf(sleeve, inputs.known))
    this.#weights = new Float64Array(tickers.length)
    const { columns, barsPerYear } = inputs
    const { of: answerOf, valueOf } = this.#conditions
    this.#divisionInputs = { columns, bar: 0, barsPerYear, answerOf, valueOf }
    if (state) {
      this.#clock = state.clock
      this.#checks = state.checks
    }
  }

  /** Bars are given in order, each once. Undefined where the bar has no check. */
  evaluate(bar: number): RulesCheck | undefined {
    if (!this.#records) throw new Error('an evaluator of known answers records no blocks')
    if (!this.#check(bar)) return undefined
    this.#weigh(this.#weights)
    return { weights: this.#weights.slice(), rebalanced: this.#rebalanced, trades: this.#trades }
  }

  /** Whether `evaluate` says to trade at a bar; fills in the weights then, and says nothing else of it. */
  tradeAt(bar: number, weights: Float64Array): boolean {
    if (!this.#check(bar) || !this.#trades) return false
    this.#weigh(weights)
    return true
  }

  /** True where the last check trades: the first one, and one where a block was divided anew. */
  get #trades(): boolean {
    return this.#checks === 1 || this.#isRebalanced
  }

  /** False where the bar has no check. */
  #check(bar: number): boolean {
    const { days, followingDays, known } = this.#inputs
    const following = followingDays[bar]!
    if (Number.isNaN(this.#clock)) this.#clock = days[bar]!
    if (known ? known.checks[bar] !== 1 : !hasEnded(this.#program.check, this.#clock, following)) return false
    this.#bar = bar
    this.#lastClock = this.#clock
    this.#clock = following
    this.#conditions.answerAt(bar)
    this.#growth.advanceTo(bar)
    if (this.#isRebalanced && this.#records) this.#rebalanced = []
    this.#isRebalanced = false
    this.#divideNode(this.#program.root, 1, false)
    this.#checks++
    return true
  }

  state(): RulesState {
    if (this.#inputs.known) throw new Error('an evaluator of known answers keeps no state')
    const { forks, sleeves } = this.#program
    return {
      version: 1,
      clock: this.#clock,
      checks: this.#checks,
      ...this.#conditions.state(),
      branches: Object.fromEntries(
        forks.flatMap(({ key, place }) =>
          this.#branches[place] === UNKNOWN ? [] : [[key, this.#branches[place] === YES ? 'yes' : 'no'] as const],
        ),
      ),
      held: Object.fromEntries(
        sleeves.flatMap(({ key, place }) => {
          const held = this.#held[place]
          return held ? [[key, [...held]]] : []
        }),
      ),
      prices: this.#growth.prices(),
    }
  }

  /** What the conditions answered at the last check, by place: 1 is yes, 0 no, -1 no answer. */
  get answers(): Int8Array {
    return this.#conditions.answers
  }

  /** The branches of the last check, by place: 1 is yes, 0 no, -1 none. */
  get branches(): Int8Array {
    return this.#branches
  }

  /** Whether the sleeve of a place is held since the last check. */
  isHeld(place: number): boolean {
    return this.#held[place] !== undefined
  }

  /** What the pick of a place chose at the last check; undefined while it is not held. */
  choices(place: number): readonly Choice[] | undefined {
    const { division } = this.#program.sleeves[place]!
    if (division.kind !== 'pick' || !this.isHeld(place)) return undefined
    return this.#picked[place]!.choices((member) => {
      const { score } = division.members[member]!
      return score ? this.#conditions.valueOf(score) : Number.NaN
    })
  }

  /** Both sides of a comparison at the last check; NaN where a value is missing. */
  valuesOf({ left, right }: Comparison): { left: number; right: number } {
    return { left: this.#conditions.valueOf(left), right: this.#conditions.valueOf(right) }
  }

  /** Growth since the last check of what a node holds. */
  #growthOf(node: ProgramNode): number {
    if (node.kind === 'cash') return this.#growth.of(this.#program.cash)
    if (node.kind === 'fork') {
      const branch = this.#branches[node.place]!
      if (branch === UNKNOWN) return this.#growth.of(this.#program.cash)
      return this.#growthOf(branch === YES ? node.yes : node.no)
    }
    const held = this.#held[node.place]
    if (!held) return 1
    let growth = 0
    for (let i = 0; i < held.length; i++) if (held[i] !== 0) growth += held[i]! * this.#partGrowth(node, i)
    return growth
  }

  #partGrowth({ parts, rest }: Sleeve, i: number): number {
    const part = i < parts.length ? parts[i]! : rest
    return typeof part === 'number' ? this.#growth.of(part) : this.#growthOf(part)
  }

  /** Divides a node's weight of the account among its parts. `entering`: it was not held before. */
  #divideNode(node: ProgramNode, weight: number, entering: boolean): void {
    if (node.kind === 'cash') return
    if (node.kind === 'fork') return this.#takeBranch(node, weight, entering)
    // Before the parts, whose division changes what is held below.
    const held = this.#divided(node, weight, entering)
    if (this.#leaves[node.place]) return
    for (let i = 0; i <= node.parts.length; i++) {
      const part = i < node.parts.length ? node.parts[i]! : node.rest
      if (typeof part === 'number') continue
      if (held[i] === 0) this.#leave(part)
      else this.#divideNode(part, weight * held[i]!, entering)
    }
  }

  /** Fills in the weights by ticker of what is held since the last check. */
  #weigh(weights: Float64Array): void {
    for (let i = 0; i < weights.length; i++) weights[i] = 0
    this.#addWeights(this.#program.root, 1, weights)
  }

  #addWeights(node: ProgramNode | number, weight: number, weights: Float64Array): void {
    if (typeof node === 'number') {
      if (node >= 0) weights[node]! += weight
    } else if (node.kind === 'cash') this.#addWeights(this.#program.cash, weight, weights)
    else if (node.kind === 'fork') {
      const branch = this.#branches[node.place]!
      if (branch === UNKNOWN) this.#addWeights(this.#program.cash, weight, weights)
      else this.#addWeights(branch === YES ? node.yes : node.no, weight, weights)
    } else {
      const held = this.#held[node.place]!
      const leaves = this.#leaves[node.place]
      if (leaves) {
        for (let i = 0; i < held.length; i++)
          if (held[i] !== 0 && leaves[i]! >= 0) weights[leaves[i]!]! += weight * held[i]!
        return
      }
      const { parts, rest } = node
      for (let i = 0; i < parts.length; i++) if (held[i] !== 0) this.#addWeights(parts[i]!, weight * held[i]!, weights)
      if (held[parts.length] !== 0) this.#addWeights(rest, weight * held[parts.length]!, weights)
    }
  }

  #takeBranch(fork: Fork, weight: number, entering: boolean): void {
    const before = this.#branches[fork.place]!
    const answer = this.#conditions.of(fork.condition)
    const branch = answer === UNKNOWN ? before : answer
    this.#branches[fork.place] = branch
    if (branch === UNKNOWN) return
    const isSwitch = branch !== before
    if (isSwitch) {
      this.#leave(branch === YES ? fork.no : fork.yes)
      this.#isRebalanced = true
      if (this.#records) {
        this.#rebalanced.push({ id: fork.id, reason: before === UNKNOWN ? 'entered' : 'change', turnover: weight })
      }
    }
    this.#divideNode(branch === YES ? fork.yes : fork.no, weight, entering || isSwitch)
  }

  /** How the sleeve is divided from this check on. */
  #divided(sleeve: Sleeve, weight: number, entering: boolean): Float64Array {
    const { place } = sleeve
    const before = this.#held[place]
    const isKept = before !== undefined && !entering
    const ranking = this.#inputs.known?.rankings[place]
    const picked = this.#picked[place]!
    const chooser = this.#choosers[place]
    if (isKept && chooser && choosesAgain(chooser, ranking!, this.#bar, picked)) return before
    const buffers = this.#buffers[place]!
    const { fresh } = buffers
    this.#divisionInputs.bar = this.#bar
    divide(sleeve, this.#divisionInputs, ranking, picked, fresh)
    const drifts = this.#inputs.known?.drifts[place] ?? true
    const drifted = isKept ? (drifts ? this.#drifted(sleeve, before, buffers.drifted) : before) : undefined
    const reason = drifted ? this.#dueBy(sleeve, fresh, drifted) : 'entered'
    if (reason !== undefined) {
      this.#isRebalanced = true
      if (this.#records) {
        this.#rebalanced.push({ id: sleeve.id, reason, turnover: weight * (drifted ? changeOf(fresh, drifted) : 1) })
      }
      this.#held[place] = fresh
      buffers.fresh = before ?? new Float64Array(fresh.length)
      return fresh
    }
    this.#held[place] = drifted!
    if (drifted !== before) buffers.drifted = before!
    return drifted!
  }

  /** Fills in what became of the parts since the last check; gives the parts themselves where they are worth nothing. */
  #drifted(sleeve: Sleeve, held: Float64Array, grown: Float64Array): Float64Array {
    const leaves = this.#leaves[sleeve.place]
    let sum = 0
    for (let i = 0; i < held.length; i++) {
      const weight = held[i]!
      const now = weight === 0 ? 0 : weight * (leaves ? this.#growth.of(leaves[i]!) : this.#partGrowth(sleeve, i))
      grown[i] = now
      sum += now
    }
    if (!(sum > 0)) return held
    for (let i = 0; i < grown.length; i++) grown[i]! /= sum
    return grown
  }

  #dueBy(sleeve: Sleeve, fresh: Float64Array, drifted: Float64Array): RebalanceReason | undefined {
    const { rebalance } = sleeve
    if (rebalance.on === 'check') return 'check'
    if (rebalance.on === 'calendar') {
      return hasEnded(rebalance.every, this.#lastClock, this.#clock) ? 'calendar' : undefined
    }
    if (rebalance.on === 'band') {
      const { points } = rebalance
      for (let i = 0; i < fresh.length; i++) if (Math.abs(fresh[i]! - drifted[i]!) * 100 > points) return 'band'
      return undefined
    }
    for (let i = 0; i < fresh.length; i++) if (!isSameSide(fresh[i]!, drifted[i]!)) return 'change'
    return undefined
  }

  /** What is not held has no parts and no branch. */
  #leave(node: ProgramNode): void {
    if (node.kind === 'cash') return
    if (node.kind === 'fork') {
      this.#branches[node.place] = UNKNOWN
      this.#leave(node.yes)
      this.#leave(node.no)
      return
    }
    if (!this.#held[node.place]) return
    this.#held[node.place] = undefined
    for (const part of node.parts) if (typeof part !== 'number') this.#leave(part)
    this.#leave(node.rest)
  }
}

function chooserOf({ division, rebalance, place }: Sleeve, known: KnownAnswers): PickDivision | undefined {
  if (known.drifts[place] || rebalance.on !== 'change' || division.kind !== 'pick') return undefined
  const keepsAll = division.members.every(({ keep }) => keep === undefined)
  return known.rankings[place]?.isFinal && keepsAll ? division : undefined
}

function leavesOf(sleeve: Sleeve, cash: number): Int32Array | undefined {
  if (!isOfTickers(sleeve)) return undefined
  return Int32Array.from([...sleeve.parts, cash], (part) => (typeof part === 'number' ? part : cash))
}

function changeOf(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum / 2
}

const branchCode = (branch: 'yes' | 'no' | undefined): number =>
  branch === undefined ? UNKNOWN : branch === 'yes' ? YES : NO
