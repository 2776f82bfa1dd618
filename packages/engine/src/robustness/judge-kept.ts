import { graded, type Grades, type Judgement, unknown } from '../optimizer/verdicts.ts'
import { ratio } from './check.ts'
import type { DecisionTape } from './material.ts'
import { heldPlaces } from './replay.ts'

/** Fractions of the run's Sharpe ratio that a changed run must keep. */
const KEPT_WELL = 0.8
const KEPT_PARTLY = 0.5

/** Judges by how much of the Sharpe ratio is left under other conditions. */
export function judgeKept(base: number | null, changed: number | null, when: string, grades: Grades): Judgement {
  if (base === null || changed === null) return unknown('there is no Sharpe ratio to compare')
  if (base <= 0) return unknown('the strategy itself earned no more than the risk-free return')
  const kept = changed / base
  return {
    ...graded(kept, kept >= KEPT_WELL, kept >= KEPT_PARTLY, grades),
    sentence: `The Sharpe ratio is ${ratio(changed)} ${when}, against ${ratio(base)}.`,
  }
}

/**
 * Bars from one change of what is held to the next, on average: late orders and costs are large or small beside it. A change counts by
 * its size beside the largest, so that small corrections of weights do not make a strategy a fast one.
 */
export function holdingBars(tape: DecisionTape): number {
  const held = heldPlaces(tape)
  const none = new Float64Array(tape.weights[0]?.length ?? 0)
  const weightsAt = (bar: number) => tape.weights[held[bar]!] ?? none
  const sizes: number[] = []
  for (let bar = 1; bar < held.length; bar++) {
    if (held[bar] === held[bar - 1]) continue
    const before = weightsAt(bar - 1)
    sizes.push(weightsAt(bar).reduce((sum, weight, i) => sum + Math.abs(weight - before[i]!), 0))
  }
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  const changes = largest > 0 ? sizes.reduce((sum, size) => sum + size, 0) / largest : 0
  return held.length / (1 + changes)
}

/** The fraction of the holding time by which orders are judged late: a steady effect loses a tenth of itself. */
const JUDGED_DELAY_SHARE = 1 / 20

/** Never more than a bar, in which every order of a slow strategy can be filled. */
export const judgedDelay = (tape: DecisionTape): number =>
  Math.min(1, Number((JUDGED_DELAY_SHARE * holdingBars(tape)).toPrecision(1)))

/**
 * How many times its cost a strategy must bear. Who trades rarely has never measured the costs and loses little by them; who trades
 * within a week knows them from a hundred trades a year.
 */
export const judgedCostMultiple = (tape: DecisionTape): number =>
  Number(Math.min(5, Math.max(2, holdingBars(tape) / 4)).toPrecision(2))
