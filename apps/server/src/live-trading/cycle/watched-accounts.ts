/** Calls `onNews` when something may have happened in an account; answers how to stop that. */
export type WatchAccount = (userId: number, accountId: number, onNews: () => void) => () => void

export const unwatchedAccounts: WatchAccount = () => () => {}

/**
 * The accounts that are watched, and which of them have signalled. A signal is a reason to poll and nothing else: what
 * happened is asked of the broker, so a stream that is wrong, repeats itself or dies changes how soon it is known, not
 * what.
 */
export class WatchedAccounts {
  readonly #watch: WatchAccount
  readonly #onNews: (accountId: number) => void
  readonly #stops = new Map<number, () => void>()
  readonly #rung = new Set<number>()

  constructor(watch: WatchAccount, onNews: (accountId: number) => void) {
    this.#watch = watch
    this.#onNews = onNews
  }

  add(userId: number, accountId: number): void {
    if (this.#stops.has(accountId)) return
    const ring = () => {
      this.#rung.add(accountId)
      this.#onNews(accountId)
    }
    this.#stops.set(accountId, this.#watch(userId, accountId, ring))
  }

  /** Stops watching accounts that this process no longer runs. */
  keep(accountIds: ReadonlySet<number>): void {
    for (const [accountId, stop] of this.#stops) {
      if (accountIds.has(accountId)) continue
      stop()
      this.#stops.delete(accountId)
      this.#rung.delete(accountId)
    }
  }

  hasNews(accountId: number): boolean {
    return this.#rung.has(accountId)
  }

  answer(accountId: number): void {
    this.#rung.delete(accountId)
  }

  close(): void {
    this.keep(new Set())
  }
}
