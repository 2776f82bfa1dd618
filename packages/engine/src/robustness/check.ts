import { type Judgement, withMinus, graded, type Grades, unknown } from '../optimizer/verdicts.ts'
import type { BoardEffort, BoardMaterial, DecisionTape } from './material.ts'
import { type CurveFigures, figuresOf, type Replay, replay, heldPlaces } from './replay.ts'

export type Unit = 'percent' | 'ratio' | 'money' | 'count'

/** A figure beside a chart; null with the reason where there is none. */
interface NamedFigure {
  readonly label: string
  readonly unit: Unit
  readonly value: number | null
  readonly reason?: string
}

interface Bar {
  readonly label: string
  readonly value: number | null
  /** The run as it was. */
  readonly isBase: boolean
}

/** What a check found, in one of a few shapes that a screen knows how to draw. */
export type Details =
  | {
      readonly kind: 'fan'
      readonly start: number
      /** Years from now, by point. */
      readonly years: readonly number[]
      readonly bands: readonly { readonly share: number; readonly values: readonly number[] }[]
    }
  | {
      readonly kind: 'histogram'
      readonly unit: Unit
      readonly from: number
      readonly step: number
      readonly counts: readonly number[]
      /** The figure of the run itself. */
      readonly actual: number
      readonly mean: number
      /** Values that speak against the run: from here on, or up to here. */
      readonly marked: { readonly from: number } | { readonly to: number }
    }
  | {
      readonly kind: 'bars'
      readonly unit: Unit
      readonly bars: readonly Bar[]
      readonly line: { readonly label: string; readonly value: number } | null
    }
  | {
      readonly kind: 'lines'
      readonly unit: Unit
      readonly labels: readonly string[]
      readonly lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
    }
  | { readonly kind: 'dots'; readonly unit: Unit; readonly dots: readonly Bar[]; readonly median: number }
  | {
      readonly kind: 'table'
      /** What the rows stand for, as their heading. */
      readonly rowLabel: string
      readonly columns: readonly { readonly label: string; readonly unit: Unit; readonly isReturn: boolean }[]
      readonly rows: readonly {
        readonly label: string
        readonly hint: string
        readonly cells: readonly (number | null)[]
      }[]
    }

export interface Found {
  /** Undefined where the check is for information alone. */
  readonly judgement?: Judgement
  /** What was done and what came out, in a sentence or two. */
  readonly summary: string
  readonly figures?: readonly NamedFigure[]
  readonly details: Details
}

/** Why a check does not apply, as the end of the sentence "n/a because …". */
interface Skipped {
  readonly skipped: string
}

export const skip = (because: string): Skipped => ({ skipped: because })
export const isSkipped = (found: Found | Skipped): found is Skipped => 'skipped' in found

/** The material, and what most checks compare with. */
export interface CheckContext {
  readonly material: BoardMaterial
  readonly effort: BoardEffort
  /** The seed of this check, or of this part of it. */
  readonly seed: number
  readonly base: Replay
  readonly figures: CurveFigures
}

/**
 * One check of the board. The work is cut into parts whose number depends on the material and the effort alone, each with
 * a seed of its own, so that the outcome is the same on any number of threads.
 */
export interface Check<Part = unknown> {
  readonly key: string
  readonly label: string
  /** What the check asks, for a reader who does not know it. */
  readonly explain: string
  /** Undefined: it can be run. */
  readonly whyNot?: (material: BoardMaterial) => string | undefined
  /** The number of parts that the check is cut into; left out: one. */
  readonly parts?: (effort: BoardEffort) => number
  /** Computes one part, as plain data: it may be done on another thread or machine. */
  readonly run: (context: CheckContext, part: number) => Part
  readonly join: (context: CheckContext, parts: readonly Part[]) => Found | Skipped
}

export interface CheckOutcome {
  readonly key: string
  readonly label: string
  readonly explain: string
  /** Null where the check is for information alone, or does not apply. */
  readonly judgement: Judgement | null
  /** Why it does not apply, as the end of "n/a because …"; null where it does. */
  readonly notAvailable: string | null
  readonly summary: string
  readonly figures: readonly NamedFigure[]
  readonly details: Details | null
}

/** A check that is done in one go. */
export const oneGo = (
  check: Omit<Check, 'parts' | 'run' | 'join'> & { readonly find: (context: CheckContext) => Found | Skipped },
): Check<Found | Skipped> => ({ ...check, run: check.find, join: (_, [found]) => found! })

/** The run itself is replayed when a check first asks for it. */
export function contextOf(material: BoardMaterial, effort: BoardEffort, seed: number): CheckContext {
  let base: Replay | undefined
  let figures: CurveFigures | undefined
  const context: CheckContext = {
    material,
    effort,
    seed,
    get base() {
      return (base ??= replay(material))
    },
    get figures() {
      return (figures ??= figuresOf(material, context.base))
    },
  }
  return context
}

/** `+10.6%`, `−3.0%`, `0.0%`. */
export function signedPercent(share: number): string {
  const size = `${Math.abs(100 * share).toFixed(1)}%`
  return size === '0.0%' ? size : `${share < 0 ? '−' : '+'}${size}`
}

export const ratio = (value: number): string => withMinus(value.toFixed(2))

export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

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
