import { CallError } from '../../../lib/call-error.ts'

/** An answer without a sentence is told apart from no answer at all. */
export function correlationsFailed(error: unknown): string {
  if (!(error instanceof CallError) || error.isUnreachable) return 'Error fetching correlations'
  return error.serverMessage ?? 'Failed to fetch correlations'
}
