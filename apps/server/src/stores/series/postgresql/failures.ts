import { Problem } from '@tradewright/core/problem'
import { why } from '../driver-errors.ts'

/** An expected failure becomes a sentence; a bug stays an error. */
export function asStoreProblem(error: unknown): unknown {
  if (error instanceof Problem) return error
  const reason = why(error)
  if (!reason) return error
  const sentence = `The PostgreSQL data store cannot be used: ${reason}.`
  return new Problem('unavailable', 'store.away', sentence, { cause: error })
}
