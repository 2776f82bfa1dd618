import type { Column } from '@tradewright/core/column'
import type { ProgramCondition, ProgramOperand } from './program.ts'

/** Answers of a condition, and branches of a fork. */
export const YES = 1
export const NO = 0
export const UNKNOWN = -1

export type Comparison = Extract<ProgramCondition, { kind: 'compare' }>

export function operandAt({ constant, terms }: ProgramOperand, columns: readonly Column[], bar: number): number {
  let sum = constant
  for (let i = 0; i < terms.length; i++) {
    const { column, times } = terms[i]!
    sum += times * columns[column]![bar]!
  }
  return sum
}

/** Whether its answers depend on the columns alone, and not on those before. */
export const isStateless = (condition: ProgramCondition): condition is Comparison =>
  condition.kind === 'compare' && !condition.tolerance?.latched

/** The answers of a comparison without state at every bar. */
export function answerColumn(condition: Comparison, columns: readonly Column[], bars: number): Int8Array {
  const answers = new Int8Array(bars)
  for (let bar = 0; bar < bars; bar++) {
    const [left, right] = [operandAt(condition.left, columns, bar), operandAt(condition.right, columns, bar)]
    answers[bar] = compare(condition, left, right, UNKNOWN)
  }
  return answers
}

export function compare({ direction, tolerance }: Comparison, left: number, right: number, before: number): number {
  const isLatched = tolerance?.latched ?? false
  if (Number.isNaN(left) || Number.isNaN(right)) return isLatched ? before : UNKNOWN
  const width = tolerance
    ? tolerance.unit === 'percent'
      ? (Math.abs(right) * tolerance.size) / 100
      : tolerance.size
    : 0
  const beyond = direction === 1 ? left > right + width : left < right - width
  if (beyond) return YES
  if (!isLatched) return NO
  const isOtherSide = direction === 1 ? left < right - width : left > right + width
  if (isOtherSide) return NO
  if (before !== UNKNOWN) return before
  return (direction === 1 ? left > right : left < right) ? YES : NO
}

/** No if one is no, else without an answer if one has none. */
export function least(of: readonly number[], answers: Int8Array): number {
  let answer = YES
  for (const place of of) {
    if (answers[place] === NO) return NO
    if (answers[place] === UNKNOWN) answer = UNKNOWN
  }
  return answer
}

/** Yes if one is yes, else without an answer if one has none. */
export function most(of: readonly number[], answers: Int8Array): number {
  let answer = NO
  for (const place of of) {
    if (answers[place] === YES) return YES
    if (answers[place] === UNKNOWN) answer = UNKNOWN
  }
  return answer
}

export const answerCode = (answer: boolean | null | undefined): number =>
  answer === undefined || answer === null ? UNKNOWN : answer ? YES : NO

export const answerOf = (code: number): boolean | null => (code === UNKNOWN ? null : code === YES)
