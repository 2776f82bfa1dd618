import { deriveSeed } from '@tradewright/core/random'
import { checks } from './catalogue.ts'
import { type Check, type CheckOutcome, contextOf, isSkipped } from './check.ts'
import { type BoardEffort, type BoardMaterial, FULL_EFFORT } from './material.ts'
import type { CurveFigures } from './replay.ts'
import { type BoardVerdict, judgeBoard } from './verdict.ts'

export interface Board {
  readonly seed: number
  readonly verdict: BoardVerdict
  readonly figures: CurveFigures
  readonly outcomes: readonly CheckOutcome[]
}

/** A part of a check. The list of all parts depends on the material and the effort alone. */
export interface BoardPart {
  readonly key: string
  readonly part: number
  readonly seed: number
}

/** Everything there is to compute, in pieces of bounded time, each with its own seed. */
export function boardParts(material: BoardMaterial, seed: number, effort: BoardEffort = FULL_EFFORT): BoardPart[] {
  return checks.flatMap((check, place) => {
    if (check.whyNot?.(material) !== undefined) return []
    const parts = check.parts?.(effort) ?? 1
    return Array.from({ length: parts }, (_, part) => ({ key: check.key, part, seed: deriveSeed(seed, place, part) }))
  })
}

export function runBoardPart(
  material: BoardMaterial,
  { key, part, seed }: BoardPart,
  effort: BoardEffort = FULL_EFFORT,
): unknown {
  return checkOf(key).run(contextOf(material, effort, seed), part)
}

function checkOf(key: string): Check {
  const check = checks.find((one) => one.key === key)
  if (!check) throw new Error(`there is no check ${key}`)
  return check
}

/** Puts the results of all parts together. `results` are in the order of `parts`. */
export function joinBoard(
  material: BoardMaterial,
  seed: number,
  parts: readonly BoardPart[],
  results: readonly unknown[],
  effort: BoardEffort = FULL_EFFORT,
): Board {
  const context = contextOf(material, effort, seed)
  const outcomes = checks.map((check): CheckOutcome => {
    const why = check.whyNot?.(material)
    if (why !== undefined) return absent(check, why)
    const own = results.filter((_, i) => parts[i]!.key === check.key)
    const found = check.join(context, own)
    if (isSkipped(found)) return absent(check, found.skipped)
    const { judgement = null, summary, figures = [], details } = found
    const { key, label, explain } = check
    return { key, label, explain, judgement, notAvailable: null, summary, figures, details }
  })
  return { seed, verdict: judgeBoard(outcomes, material), figures: context.figures, outcomes }
}

const absent = ({ key, label, explain }: Check, why: string): CheckOutcome => ({
  key,
  label,
  explain,
  judgement: null,
  notAvailable: why,
  summary: '',
  figures: [],
  details: null,
})

/** The whole board on one thread. */
export function runBoard(material: BoardMaterial, seed: number, effort: BoardEffort = FULL_EFFORT): Board {
  const parts = boardParts(material, seed, effort)
  const results = parts.map((part) => runBoardPart(material, part, effort))
  return joinBoard(material, seed, parts, results, effort)
}
