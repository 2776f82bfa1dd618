import { Problem, type ProblemKind } from '@tradewright/core/problem'
import { errorCode } from '../../system-error.ts'

const AT_THE_SAME_MOMENT = 'at the same moment. Nothing was changed; reload and try again.'
const VALUE = ['invalid', 'database.value', 'The request has a value that cannot be stored.'] as const

/**
 * Refusals of PostgreSQL although the request was checked, by SQLSTATE. Classes 23 and 40 are races: another request
 * came between a check and its write. Class 22 is a bound that the contract lacks; the log names the statement.
 */
const REFUSALS: Readonly<Record<string, readonly [ProblemKind, string, string]>> = {
  // foreign_key_violation
  '23503': [
    'conflict',
    'database.reference',
    `Something that this belongs to was changed or deleted ${AT_THE_SAME_MOMENT}`,
  ],
  // unique_violation
  '23505': ['conflict', 'database.duplicate', `The same was saved ${AT_THE_SAME_MOMENT}`],
  // serialization_failure, deadlock_detected
  '40001': ['conflict', 'database.race', `Something else was saved ${AT_THE_SAME_MOMENT}`],
  '40P01': ['conflict', 'database.race', `Something else was saved ${AT_THE_SAME_MOMENT}`],
  // numeric_value_out_of_range, invalid_text_representation, character_not_in_repertoire, untranslatable_character
  '22003': VALUE,
  '22P02': VALUE,
  '22021': VALUE,
  '22P05': VALUE,
}

/** The failure as a Problem that keeps it as its cause, so that it is logged; undefined for any other failure. */
export function databaseRefusal(error: unknown): Problem | undefined {
  const refusal = error instanceof Error ? REFUSALS[errorCode(error) ?? ''] : undefined
  return refusal && new Problem(...refusal, { cause: error })
}
