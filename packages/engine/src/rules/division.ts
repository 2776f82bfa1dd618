import type { Column } from '@tradewright/core/column'
import { pairOf, type PickDivision, type ProgramOperand, type RiskColumns, type Sleeve } from './program.ts'
import {
  covarianceOf,
  inverseVolatilityWeights,
  minimumVarianceWeights,
  riskParityWeights,
  varianceOf,
} from './risk-weights.ts'

/** A member that a pick chose. */
export interface Choice {
  /** The member's place in the list. */
  readonly member: number
  /** NaN without a ranking. */
  readonly score: number
  /** A fraction of the block; 0 where the member was chosen and not kept. */
  readonly weight: number
}

export interface DivisionInputs {
  readonly columns: readonly Column[]
  readonly bar: number
  readonly barsPerYear: number
  /** The answer of the condition at this place. */
  readonly answerOf: (condition: number) => number
  readonly valueOf: (operand: ProgramOperand) => number
}

/** Less than this is rounding: three thirds leave no rest. */
const ROUNDING = 1e-12

/** What a pick chose at its last division, in the order of its places. Filled in again at each division. */
export class Picked {
  count = 0
  readonly members: Int32Array
  /** While they are ranked. */
  readonly scores: Float64Array
  readonly weights: Float64Array

  constructor(members: number) {
    this.members = new Int32Array(members)
    this.scores = new Float64Array(members)
    this.weights = new Float64Array(members)
  }

  choices(scoreOf: (member: number) => number): Choice[] {
    return Array.from({ length: this.count }, (_, place) => {
      const member = this.members[place]!
      return { member, score: scoreOf(member), weight: this.weights[place]! }
    })
  }
}

/** Fills in how a block would be divided now: its parts in their order, then the rest. `picked` is that of a pick. */
export function divide(
  { division, parts }: Sleeve,
  inputs: DivisionInputs,
  ranking: Ranking | undefined,
  picked: Picked,
  weights: Float64Array,
): void {
  if (division.kind === 'fixed') for (let i = 0; i < parts.length; i++) weights[i] = division.weights[i]!
  else {
    for (let i = 0; i < parts.length; i++) weights[i] = 0
    pick(division, inputs, ranking, picked)
    for (let place = 0; place < picked.count; place++) weights[picked.members[place]!] = picked.weights[place]!
  }
  let sum = 0
  for (let i = 0; i < parts.length; i++) sum += weights[i]!
  const rest = 1 - sum
  weights[parts.length] = rest < ROUNDING ? 0 : rest
}

function pick(division: PickDivision, inputs: DivisionInputs, ranking: Ranking | undefined, picked: Picked): void {
  choose(division, inputs, ranking, picked)
  const { count, members, weights } = picked
  if (count === 0) return
  weigh(division, picked, inputs)
  for (let place = 0; place < count; place++) {
    const { keep } = division.members[members[place]!]!
    if (keep !== undefined && inputs.answerOf(keep) !== 1) weights[place] = 0
  }
  if (division.spreads) spreadOver(division, picked)
  if (!division.volatilityTarget) return
  const factor = volatilityFactor(division, division.volatilityTarget, picked, inputs)
  for (let place = 0; place < count; place++) weights[place]! *= factor
}

/**
 * The members of a pick in the order of their scores, equal ones in that of the list, without those that have no score or
 * that a known answer leaves out. It depends on the bar alone, so that programs with the same scores and answers share it;
 * a row is made when it is first asked for.
 */
export class Ranking {
  /** Whether known answers are all that leaves a member out. */
  readonly isFinal: boolean
  readonly #members: number
  /** By member: whether it may be held, by bar, where that is known. */
  readonly #eligible: readonly (Int8Array | undefined)[]
  readonly #order: Uint16Array
  /** By bar: how many have a score; -1 until it is known. */
  readonly #counts: Int16Array

  constructor(eligible: readonly (Int8Array | undefined)[], isFinal: boolean, bars: number) {
    const members = eligible.length
    this.isFinal = isFinal
    this.#members = members
    this.#eligible = eligible
    this.#order = new Uint16Array(members * bars)
    this.#counts = new Int16Array(bars).fill(-1)
  }

  static bytes(members: number, bars: number): number {
    return 2 * bars * (members + 1)
  }

  /** How many members have a score at a bar. */
  count(bar: number): number {
    return this.#counts[bar]!
  }

  memberAt(bar: number, place: number): number {
    return this.#order[bar * this.#members + place]!
  }

  /** Whether no known answer leaves a member out. */
  mayHold(bar: number, member: number): boolean {
    const answers = this.#eligible[member]
    return answers === undefined || answers[bar] === 1
  }

  fill(bar: number, order: Int32Array, count: number): void {
    for (let place = 0; place < count; place++) this.#order[bar * this.#members + place] = order[place]!
    this.#counts[bar] = count
  }
}

/** The chosen members, in the order of their places. */
function choose(division: PickDivision, inputs: DivisionInputs, ranking: Ranking | undefined, picked: Picked): void {
  const { members, order, places } = division
  const { bar, valueOf } = inputs
  picked.count = 0
  if (order === undefined) {
    for (let member = 0; member < members.length; member++) {
      if (!isEligible(division, member, inputs)) continue
      const { score } = members[member]!
      const value = score ? valueOf(score) : Number.NaN
      if (!score || Number.isFinite(value)) add(picked, member)
    }
    return
  }
  if (ranking === undefined) {
    rank(division, inputs, picked, (member) => isEligible(division, member, inputs))
    picked.count = Math.min(picked.count, places)
    return
  }
  if (ranking.count(bar) < 0) {
    rank(division, inputs, picked, (member) => ranking.mayHold(bar, member))
    ranking.fill(bar, picked.members, picked.count)
    picked.count = 0
  }
  const ranked = ranking.count(bar)
  for (let place = 0; place < ranked && picked.count < places; place++) {
    const member = ranking.memberAt(bar, place)
    if (ranking.isFinal || isEligible(division, member, inputs)) add(picked, member)
  }
}

/** Whether a pick chooses the same members in the same order as at its last division. */
export function choosesAgain({ places }: PickDivision, ranking: Ranking, bar: number, picked: Picked): boolean {
  const count = Math.min(places, ranking.count(bar))
  if (count !== picked.count) return false
  for (let place = 0; place < count; place++) {
    if (ranking.memberAt(bar, place) !== picked.members[place]) return false
  }
  return true
}

function isEligible({ members, risk, volatilityTarget }: PickDivision, member: number, inputs: DivisionInputs) {
  const { eligible } = members[member]!
  if (eligible !== undefined && inputs.answerOf(eligible) !== 1) return false
  return !stands(risk, member, inputs) && !stands(volatilityTarget, member, inputs)
}

/** A price that stood still has no volatility to be weighed by. */
const stands = (of: RiskColumns | undefined, member: number, { columns, bar }: DivisionInputs): boolean =>
  of !== undefined && !(columns[of.volatilities[member]!]![bar]! > 0)

function add(picked: Picked, member: number): void {
  picked.members[picked.count++] = member
}

/** Ranks by insertion, since lists are short: a member goes behind those with the same score. */
function rank(
  { members, order }: PickDivision,
  { valueOf }: DivisionInputs,
  picked: Picked,
  isWanted: (member: number) => boolean,
): void {
  const sign = order === 'top' ? 1 : -1
  for (let member = 0; member < members.length; member++) {
    const { score } = members[member]!
    const value = isWanted(member) && score ? valueOf(score) : Number.NaN
    if (!Number.isFinite(value)) continue
    let place = picked.count++
    for (; place > 0 && sign * value > sign * picked.scores[place - 1]!; place--) {
      picked.members[place] = picked.members[place - 1]!
      picked.scores[place] = picked.scores[place - 1]!
    }
    picked.members[place] = member
    picked.scores[place] = value
  }
}

/** Sets the weight of each place, before any is dropped. */
function weigh({ weights: by, places, risk, members }: PickDivision, picked: Picked, inputs: DivisionInputs): void {
  const { count, weights } = picked
  if (by.kind === 'equal') for (let place = 0; place < count; place++) weights[place] = 1 / places
  else if (by.kind === 'rank') {
    for (let place = 0; place < count; place++) weights[place] = (places - place) / ((places * (places + 1)) / 2)
  } else if (by.kind === 'fixed') {
    const sum = by.pcts.reduce((total, pct) => total + pct, 0)
    for (let place = 0; place < count; place++) weights[place] = by.pcts[place]! / Math.max(100, sum)
  } else {
    const ofMembers = riskWeights(by.kind, chosenOf(picked), members.length, risk!, inputs)
    for (let place = 0; place < count; place++) weights[place] = ofMembers[place]! * (count / places)
  }
}

const chosenOf = ({ members, count }: Picked): number[] => Array.from(members.subarray(0, count))

function riskWeights(
  kind: 'inverse-volatility' | 'risk-parity' | 'minimum-variance',
  chosen: readonly number[],
  members: number,
  risk: RiskColumns,
  inputs: DivisionInputs,
): number[] {
  if (kind === 'inverse-volatility') return inverseVolatilityWeights(volatilitiesOf(risk, chosen, inputs))
  const covariance = covariances(risk, chosen, members, inputs)
  return kind === 'risk-parity' ? riskParityWeights(covariance) : minimumVarianceWeights(covariance)
}

const volatilitiesOf = ({ volatilities }: RiskColumns, chosen: readonly number[], { columns, bar }: DivisionInputs) =>
  chosen.map((member) => columns[volatilities[member]!]![bar]!)

function covariances(risk: RiskColumns, chosen: readonly number[], members: number, inputs: DivisionInputs) {
  const { columns, bar } = inputs
  return covarianceOf(volatilitiesOf(risk, chosen, inputs), (a, b) => {
    const column = risk.correlations.get(pairOf(chosen[a]!, chosen[b]!, members))!
    const correlation = columns[column]![bar]!
    // Two series that both moved have a correlation, but for a day on which only one of them has a row.
    return Number.isNaN(correlation) ? 0 : correlation
  })
}

/** The weights of empty places go to those that are held. */
function spreadOver({ weights: by, places }: PickDivision, { weights, count }: Picked): void {
  let sum = 0
  for (let place = 0; place < count; place++) sum += weights[place]!
  if (sum === 0) return
  const whole = by.kind === 'fixed' ? by.pcts.slice(0, places).reduce((total, pct) => total + pct, 0) / 100 : 1
  for (let place = 0; place < count; place++) weights[place] = (weights[place]! / sum) * Math.min(1, whole)
}

function volatilityFactor(
  { members }: PickDivision,
  target: NonNullable<PickDivision['volatilityTarget']>,
  picked: Picked,
  inputs: DivisionInputs,
): number {
  const covariance = covariances(target, chosenOf(picked), members.length, inputs)
  const volatility = Math.sqrt(varianceOf(picked.weights.subarray(0, picked.count), covariance) * inputs.barsPerYear)
  return volatility > 0 ? Math.min(1, target.volatility / volatility) : 1
}
