import { isBuiltIn } from '@tradewright/core/broker-catalogue'
import { Problem } from '@tradewright/core/problem'
import { SECOND } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import { setTimeout as wait } from 'node:timers/promises'
import type { BrokerageAccount } from '../brokerage/account.ts'
import type { AccountRows, BrokerFor } from '../brokerage/ports.ts'
import { collectActivities } from './collect-activities.ts'
import type { PortfolioStore } from './ports.ts'
import { takeSnapshot } from './take-snapshot.ts'

interface RefresherDeps {
  readonly brokerFor: BrokerFor
  readonly accounts: AccountRows
  readonly store: PortfolioStore
  readonly now: () => Date
  /** Between two pages of older activities. */
  readonly pause: () => Promise<void>
  readonly onFailure: (error: unknown, message: string) => void
}

const KEYS_REFUSED = 'broker.keys-refused'
/** A broker that failed is left alone for a while, unless a refresh is forced. */
const PATIENCE = 15 * SECOND

interface Failure {
  readonly message: string
  readonly at: number
}

/** Brings what is kept of an account up to date, one refresh at a time for each. */
export class PortfolioRefresher {
  readonly #deps: RefresherDeps
  readonly #running = new Map<number, Promise<void>>()
  /** Each gives what it failed of, if it did. */
  readonly #collecting = new Map<number, Promise<unknown>>()
  readonly #failures = new Map<number, Failure>()

  constructor(deps: RefresherDeps) {
    this.#deps = deps
  }

  isRefreshing(accountId: number): boolean {
    return this.#running.has(accountId)
  }

  isCollecting(accountId: number): boolean {
    return this.#collecting.has(accountId)
  }

  /** Why the broker could not be asked the last time; undefined when it could. */
  failureOf(accountId: number): string | undefined {
    return this.#failures.get(accountId)?.message
  }

  /** In the background: no caller waits for it, and a failure is told with the next answer. */
  refreshBehind(account: BrokerageAccount): void {
    const failed = this.#failures.get(account.id)
    if (failed && this.#deps.now().getTime() - failed.at < PATIENCE) return
    this.refresh(account).catch(() => undefined)
  }

  /** Rejects with the Problem when the broker cannot be asked. */
  refresh(account: BrokerageAccount): Promise<void> {
    const running = this.#running.get(account.id)
    if (running) return running
    const refresh = this.#refresh(account).finally(() => this.#running.delete(account.id))
    this.#running.set(account.id, refresh)
    return refresh
  }

  /**
   * Until every activity that the broker lists is stored, or `withinMs` have passed: then the rest follows in the
   * background. Rejects with the Problem when the broker cannot be asked.
   */
  async collect(account: BrokerageAccount, withinMs: number): Promise<void> {
    const all = async () => {
      await this.refresh(account)
      const failure = await this.#collecting.get(account.id)
      if (failure !== undefined) throw failure
    }
    const work = all()
    // It may fail when the time has passed.
    work.catch(() => undefined)
    await Promise.race([work, wait(withinMs, undefined, { ref: false })])
  }

  /** Waits until all background work has ended, for closing and for tests. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running.values(), ...this.#collecting.values()])
  }

  async #refresh(account: BrokerageAccount): Promise<void> {
    const { brokerFor, accounts, store, now, onFailure } = this.#deps
    try {
      const broker = await brokerFor(account.userId, account.id)
      await takeSnapshot({ store, now }, account.id, broker)
      this.#failures.delete(account.id)
      await accounts.setVerification(account.userId, account.id, {
        status: 'verified',
        reason: null,
        connectedAt: now(),
      })
      this.#collectBehind(account, broker)
    } catch (error) {
      const message = error instanceof Problem ? error.message : 'The account could not be read.'
      this.#failures.set(account.id, { message, at: now().getTime() })
      if (!(error instanceof Problem)) onFailure(error, 'refreshing a portfolio failed')
      else if (error.code === KEYS_REFUSED) await this.#doubtKeys(account, message)
      throw error
    }
  }

  /** They are asked about again soon, so that a broker's bad moment does not end in a rejected account. */
  async #doubtKeys({ userId, id }: BrokerageAccount, reason: string): Promise<void> {
    await this.#deps.accounts.setVerification(userId, id, { status: 'not_verified', reason, connectedAt: null })
  }

  #collectBehind({ id, broker: kind }: BrokerageAccount, broker: Broker): void {
    if (this.#collecting.has(id)) return
    // Our own database needs no rest.
    const deps = isBuiltIn(kind) ? { ...this.#deps, pause: () => Promise.resolve() } : this.#deps
    const collecting = collectActivities(deps, id, broker)
      .catch((error: unknown) => {
        if (!(error instanceof Problem)) this.#deps.onFailure(error, 'collecting account activities failed')
        return error
      })
      .finally(() => this.#collecting.delete(id))
    this.#collecting.set(id, collecting)
  }
}
