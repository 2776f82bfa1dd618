import { Random } from '@tradewright/core/random'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { decideBySignal } from '../backtest/signals.ts'
import { RulesEvaluator } from '../rules/evaluator.ts'
import type { RulesInputs } from '../rules/inputs.ts'
import type { RulesProgram } from '../rules/program.ts'
import type { DecisionTape, VariedTape } from './material.ts'

/** Writes down what a strategy decides at each bar. */
export function recordTape(bars: number, decide: (bar: number) => Float64Array | undefined): DecisionTape {
  const decisions = new Int32Array(bars).fill(-1)
  const places = new Map<string, number>()
  const weights: Float64Array[] = []
  for (let bar = 0; bar < bars; bar++) {
    const decided = decide(bar)
    if (!decided) continue
    // Rules make a new array of every check, mostly with the same weights.
    const key = decided.join(' ')
    const place = places.get(key) ?? weights.push(Float64Array.from(decided)) - 1
    places.set(key, place)
    decisions[bar] = place
  }
  return { decisions, weights }
}

export function rulesTape(program: RulesProgram, inputs: RulesInputs): DecisionTape {
  const evaluator = new RulesEvaluator(program, inputs)
  return recordTape(inputs.days.length, (bar) => {
    const check = evaluator.evaluate(bar)
    return check?.trades ? check.weights : undefined
  })
}

/** The rules checked so many bars after the end of each period, from what is known then. */
export function laterInputs(inputs: RulesInputs, bars: number): RulesInputs {
  const later = (days: Int32Array) => days.map((_, bar) => (bar < bars ? inputs.days[0]! : days[bar - bars]!))
  return { ...inputs, days: later(inputs.days), followingDays: later(inputs.followingDays) }
}

export interface Signals {
  /** By bar of the run; -1 where nothing was predicted. */
  readonly signals: Int8Array
  readonly probabilities: Float64Array
}

type SignalWeights = Parameters<typeof decideBySignal>[1]

export const signalTape = (signals: Int8Array, weights: SignalWeights): DecisionTape =>
  recordTape(signals.length, decideBySignal(signals, weights))

/** Fractions of the predictions that change sides. */
const CHANGED_SHARES = [0.02, 0.04, 0.06, 0.08, 0.1]

/**
 * Buys from another probability on, so that up to a tenth of the predictions change sides. Steps of probability would not do: a
 * model that is never far from 50% would buy always or never.
 */
export function thresholdTapes({ signals, probabilities }: Signals, weights: SignalWeights): VariedTape[] {
  const predicted = Array.from(signals.keys()).filter((bar) => signals[bar] !== -1)
  const most = Math.floor(CHANGED_SHARES.at(-1)! * predicted.length)
  return ([0, 1] as const).flatMap((side) => {
    const nearest = predicted
      .filter((bar) => signals[bar] === side)
      .sort((a, b) => Math.abs(probabilities[a]! - 0.5) - Math.abs(probabilities[b]! - 0.5))
    const counts = new Set(
      CHANGED_SHARES.map((share) => changedWith(nearest, probabilities, Math.floor(share * predicted.length))),
    )
    return [...counts].flatMap((count) => {
      if (count === 0 || count > most) return []
      const changed = signals.slice()
      for (const bar of nearest.slice(0, count)) changed[bar] = 1 - side
      const told = `${Number(((100 * count) / predicted.length).toFixed(1))}%`
      return [
        {
          label: `${told} of the calls from ${side === 0 ? 'Sell to Buy' : 'Buy to Sell'}`,
          tape: signalTape(changed, weights),
        },
      ]
    })
  })
}

/** So many and those of the same probability as the last of them: one threshold has to divide them. */
function changedWith(nearest: readonly number[], probabilities: Float64Array, wanted: number): number {
  if (wanted < 1 || nearest.length === 0) return 0
  const last = probabilities[nearest[Math.min(wanted, nearest.length) - 1]!]
  let count = Math.min(wanted, nearest.length)
  while (count < nearest.length && probabilities[nearest[count]!] === last) count++
  return count
}

const MIXES = 40
const MIX_CHANGE = 0.2

/** Other percentages with the same sum: each up to a fifth more or less. */
export function nearbyMixes(weights: Float64Array, bars: number, seed: number): VariedTape[] {
  if (weights.filter((weight) => weight !== 0).length < 2) return []
  const random = new Random(seed)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return Array.from({ length: MIXES }, (_, i) => {
    const moved = weights.map((weight) => weight * (1 + MIX_CHANGE * (2 * random.float() - 1)))
    const moment = moved.reduce((total, weight) => total + weight, 0)
    const scaled = sum !== 0 && moment !== 0 ? moved.map((weight) => (weight * sum) / moment) : moved
    return { label: `mix ${i + 1}`, tape: recordTape(bars, (bar) => (bar === 0 ? scaled : undefined)) }
  })
}

const RULE_FACTORS = [0.8, 0.9, 1.1, 1.2]
const MAX_NEARBY_TREES = 24

/** Trees in which one number of a feature or comparison is up to a fifth larger or smaller; an even choice of many. */
export function nearbyTrees(tree: RulesTree): { label: string; tree: RulesTree }[] {
  const all = numberPaths(tree.root, []).flatMap(({ path, value }) => {
    const values = new Set(RULE_FACTORS.map((factor) => moved(value, factor)))
    values.delete(value)
    return [...values].map((next) => ({
      label: `${String(path.at(-1))} ${next} in place of ${value}`,
      tree: { ...tree, root: withNumber(tree.root, path, next) as RulesTree['root'] },
    }))
  })
  if (all.length <= MAX_NEARBY_TREES) return all
  return Array.from({ length: MAX_NEARBY_TREES }, (_, i) => all[Math.floor((i * all.length) / MAX_NEARBY_TREES)]!)
}

/** Whole numbers stay whole and differ by one at least. */
function moved(value: number, factor: number): number {
  if (!Number.isInteger(value)) return Number((value * factor).toPrecision(6))
  const next = Math.round(value * factor)
  return next === value ? value + Math.sign(factor - 1) * Math.sign(value) : next
}

/** Numbers that decide: parameters of features, constants of comparisons and sizes of tolerances. */
const DECIDING = new Set(['params', 'right', 'left', 'tolerance'])

function numberPaths(
  value: unknown,
  path: readonly (string | number)[],
): { path: (string | number)[]; value: number }[] {
  if (typeof value === 'number') {
    const isDeciding = path.some((step) => DECIDING.has(String(step)))
    // A window of one bar is the price itself, and nothing times something is nothing.
    return isDeciding && value !== 0 && value !== 1 ? [{ path: [...path], value }] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    numberPaths(part, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

function withNumber(value: unknown, [step, ...rest]: readonly (string | number)[], next: number): unknown {
  if (step === undefined) return next
  if (Array.isArray(value))
    return value.map((part, i) => (i === step ? withNumber(part, rest, next) : (part as unknown)))
  const part = value as Record<string, unknown>
  return { ...part, [step]: withNumber(part[step], rest, next) }
}
