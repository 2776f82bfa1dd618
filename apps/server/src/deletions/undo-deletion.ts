import { Problem } from '@tradewright/core/problem'

const REFUSALS = {
  missing: { problem: 'missing', code: 'deletion.missing', sentence: 'This can no longer be restored.' },
  taken: {
    problem: 'conflict',
    code: 'deletion.taken',
    sentence: 'The same name has been saved again since, so this was not restored.',
  },
  orphaned: {
    problem: 'conflict',
    code: 'deletion.orphaned',
    sentence: 'What this belongs to was deleted as well. Restore that first.',
  },
} as const

export async function undoDeletion(
  deletions: DeletionStore,
  userId: number,
  kind: DeletionKind,
  key: string,
): Promise<void> {
  const outcome = await deletions.restore(userId, kind, key)
  if (outcome === 'restored') return
  const { problem, code, sentence } = REFUSALS[outcome]
  throw new Problem(problem, code, sentence)
}

/** What can be brought back after it was deleted. */
export type DeletionKind =
  | 'strategy'
  | 'backtest'
  | 'ticker-list'
  | 'saved-query'
  | 'conversation'
  | 'collection-job'
  | 'optimization-run'
  | 'study'
  | 'construction'
  | 'alert-channel'

/** Deleted rows of each user, for a short time; those of others do not exist for them. */
export interface DeletionStore {
  /**
   * Brings everything back that went with the deletion, under its old ids. `taken`: the name is in use again; `orphaned`:
   * what it belongs to is gone.
   */
  restore(userId: number, kind: DeletionKind, key: string): Promise<'restored' | 'missing' | 'taken' | 'orphaned'>
}
