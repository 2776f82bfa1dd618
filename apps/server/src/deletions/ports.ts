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
