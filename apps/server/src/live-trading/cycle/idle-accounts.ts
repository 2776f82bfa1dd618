import type { Note } from '@tradewright/core/note'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, MINUTE, type UtcMillis } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { DISAGREEMENT, disagreement, healthProblemOf, IDLE_COMPARE_INTERVAL_MS } from '../health.ts'
import { accrueForOthers } from './reconcile/dividends.ts'
import { reconcile } from './reconcile/reconcile.ts'
import { setHealth } from './record-note.ts'
import type { BrokerageAccountRef, CycleDeps } from './types.ts'

const POLL_INTERVAL_MS = MINUTE
/** The others follow at the next poll. */
const MAX_ACCOUNTS = 20

function lastClose(now: UtcMillis): UtcMillis {
  const today = epochDayOf(now)
  const isOver = nyse.isSession(today) && nyse.closeOf(today) <= now
  return nyse.closeOf(isOver ? today : nyse.previousSession(today))
}

const agreeAgain: Note = { code: 'books-agree', level: 'info', sentence: 'Broker and books agree again.' }

/**
 * Compares accounts in which none of their deployments runs, now and then: what is stopped or paused keeps its cash and
 * positions, and a change at the broker is told although nothing trades.
 */
export class IdleAccounts {
  readonly #deps: CycleDeps
  /** The last close until which dividends were looked up, by account. */
  readonly #accruedAt = new Map<number, number>()
  #polledAt = 0
  #isBusy = false

  constructor(deps: CycleDeps) {
    this.#deps = deps
  }

  /** Undefined where it is not time yet. */
  begin(): Promise<void> | undefined {
    const now = this.#deps.clock.now().getTime()
    if (this.#isBusy || now - this.#polledAt < POLL_INTERVAL_MS) return undefined
    this.#polledAt = now
    this.#isBusy = true
    return this.#compareAll(now).finally(() => {
      this.#isBusy = false
    })
  }

  async #compareAll(now: number): Promise<void> {
    const { database, log } = this.#deps
    try {
      const before = new Date(now - IDLE_COMPARE_INTERVAL_MS)
      for (const account of await database.books.claimIdle(before, new Date(now), MAX_ACCOUNTS)) {
        if (this.#deps.signal.aborted) return
        await this.#compare(account).catch((error: unknown) => this.#tellFailure(account, error))
      }
    } catch (error) {
      log.warn({ err: error }, 'accounts that do not trade could not be compared')
    }
  }

  async #compare(account: BrokerageAccountRef): Promise<void> {
    const { database, brokerFor } = this.#deps
    const broker = await brokerFor(account.userId, account.accountId)
    const reconciliation = await reconcile(this.#deps, broker, account)
    const { verdict, disagreement: why } = reconciliation
    if (verdict === 'moving') return
    const close = lastClose(this.#deps.clock.now().getTime())
    if (verdict === 'agreed' && this.#accruedAt.get(account.accountId) !== close) {
      await accrueForOthers(this.#deps, account, reconciliation, new Date(close))
      this.#accruedAt.set(account.accountId, close)
    }
    for (const deployment of await database.deployments.onAccount(account.accountId)) {
      if (deployment.status === 'running') continue
      // Stored as its problem, so that it is told once, and also when this process dies before it has told it.
      if (why !== null) await setHealth(this.#deps, deployment, healthProblemOf(disagreement(why)))
      else if (deployment.healthProblem?.code === DISAGREEMENT)
        await setHealth(this.#deps, deployment, null, agreeAgain)
    }
  }

  /** The light says that the account was not compared; the log says why. */
  #tellFailure({ accountId }: BrokerageAccountRef, error: unknown): void {
    const { log } = this.#deps
    if (error instanceof Problem) log.info({ accountId, reason: error.message }, 'idle account not compared')
    else log.error({ err: error, accountId }, 'idle account not compared')
  }
}
