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
  /** Its place in the list. */
  readonly member: number
  /** NaN without a ranking. */
  readonly score: number
  /** Of the block; 0 where it was chosen and not kept. */
  readonly weight: number
}

export interface DivisionInputs {
  readonly columns: readonly Column[]
  readonly bar: number
  readonly barsPerYear: number
  readonly answers: Int8Array
  readonly valueOf: (operand: ProgramOperand) => number
}

/** Less than this is rounding: three thirds leave no rest. */
const ROUNDING = 1e-12

/** How a block would be divided now: its parts in their order, then the rest. */
export function divide(
  { division, parts }: Sleeve,
  inputs: DivisionInputs,
): { weights: readonly number[]; choices: readonly Choice[] | undefined } {
  const choices = division.kind === 'pick' ? pick(division, inputs) : undefined
  const weights: number[] = []
  for (let i = 0; i < parts.length; i++) weights.push(division.kind === 'fixed' ? division.weights[i]! : 0)
  if (choices) for (const { member, weight } of choices) weights[member] = weight
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += weights[i]!
  const rest = 1 - sum
  weights.push(rest < ROUNDING ? 0 : rest)
  return { weights, choices }
}

function pick(division: PickDivision, inputs: DivisionInputs): Choice[] {
  const { answers } = inputs
  const chosen = choose(division, inputs)
  if (chosen.length === 0) return []
  const wanted = weigh(
    division,
    chosen.map(({ member }) => member),
    inputs,
  )
  const kept = chosen.map(({ member }, place) => {
    const { keep } = division.members[member]!
    return keep === undefined || answers[keep] === 1 ? wanted[place]! : 0
  })
  const spread = division.spreads ? spreadOver(division, kept) : kept
  const factor = volatilityFactor(division, chosen, spread, inputs)
  return chosen.map(({ member, score }, place) => ({ member, score, weight: spread[place]! * factor }))
}

/** In the order of their places. */
function choose(
  { members, order, places, risk, volatilityTarget }: PickDivision,
  { columns, bar, answers, valueOf }: DivisionInputs,
): { member: number; score: number }[] {
  const isStill = (of: RiskColumns | undefined, member: number) =>
    of !== undefined && !(columns[of.volatilities[member]!]![bar]! > 0)
  const eligible: { member: number; score: number }[] = []
  for (let member = 0; member < members.length; member++) {
    const { eligible: asked, score } = members[member]!
    if (asked !== undefined && answers[asked] !== 1) continue
    if (isStill(risk, member) || isStill(volatilityTarget, member)) continue
    const value = score ? valueOf(score) : Number.NaN
    if (!score || Number.isFinite(value)) eligible.push({ member, score: value })
  }
  if (order === undefined) return eligible
  // Sorting is stable, so equal scores keep the order of the list.
  return eligible.sort((a, b) => (order === 'top' ? b.score - a.score : a.score - b.score)).slice(0, places)
}

/** By place, before any is dropped. */
function weigh({ weights, places, risk, members }: PickDivision, chosen: readonly number[], inputs: DivisionInputs) {
  const filled = chosen.length / places
  if (weights.kind === 'equal') return chosen.map(() => 1 / places)
  if (weights.kind === 'rank') return chosen.map((_, place) => (places - place) / ((places * (places + 1)) / 2))
  if (weights.kind === 'fixed') {
    const sum = weights.pcts.reduce((total, pct) => total + pct, 0)
    return chosen.map((_, place) => weights.pcts[place]! / Math.max(100, sum))
  }
  const shares = riskShares(weights.kind, chosen, members.length, risk!, inputs)
  return shares.map((share) => share * filled)
}

function riskShares(
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
    // Of two series that both moved there is one, but for a day on which only one of them has a row.
    return Number.isNaN(correlation) ? 0 : correlation
  })
}

/** The shares of empty places go to those that are held. */
function spreadOver({ weights, places }: PickDivision, kept: readonly number[]): readonly number[] {
  const sum = kept.reduce((total, weight) => total + weight, 0)
  if (sum === 0) return kept
  const whole =
    weights.kind === 'fixed' ? weights.pcts.slice(0, places).reduce((total, pct) => total + pct, 0) / 100 : 1
  return kept.map((weight) => (weight / sum) * Math.min(1, whole))
}

function volatilityFactor(
  { volatilityTarget, members }: PickDivision,
  chosen: readonly { member: number }[],
  weights: readonly number[],
  inputs: DivisionInputs,
): number {
  if (!volatilityTarget) return 1
  const covariance = covariances(
    volatilityTarget,
    chosen.map(({ member }) => member),
    members.length,
    inputs,
  )
  const volatility = Math.sqrt(varianceOf(weights, covariance) * inputs.barsPerYear)
  return volatility > 0 ? Math.min(1, volatilityTarget.share / volatility) : 1
}
