import { isBuiltIn } from '@tradewright/core/broker-catalogue'
import { Problem } from '@tradewright/core/problem'
import { SECOND, DAY } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import { setTimeout as wait } from 'node:timers/promises'
import { type AccountActivity, isCorrection } from '@tradewright/engine/trading/account-activity'
import type { BrokerageAccount } from '../brokerage/account.ts'
import type { AccountRows, BrokerFor } from '../brokerage/ports.ts'
import type { PortfolioStore, StoredKind } from './ports.ts'
import { takeSnapshot, LATE_DAYS } from './account-figures.ts'
import { PageCount } from '../page-count.ts'

interface CollectDeps {
  readonly store: PortfolioStore
  readonly now: () => Date
  /** Waits between two pages, so that trading on the account has calls left. Rejects when the program stops. */
  readonly pause: () => Promise<void>
}

/** Two million activities, of which a broker lists a hundred on a page. */
const MAX_PAGES = 20_000

const countPages = () =>
  new PageCount(
    MAX_PAGES,
    'activities',
    (reason) => new Problem('upstream', 'broker.malformed', `The broker sent a list that is too long: ${reason}.`),
  )

const KINDS: readonly StoredKind[] = ['trades', 'cash']

/**
 * Collects activities oldest first, page by page, and goes on where it stopped: nothing is held in memory, and a
 * restart loses a page at most.
 */
export async function collectActivities(deps: CollectDeps, accountId: number, broker: Broker): Promise<void> {
  for (const kind of KINDS) await collectKind(deps, accountId, broker, kind)
  await collectLate(deps, accountId, broker, 'trades', BUSTED_DAYS)
  await collectLate(deps, accountId, broker, 'cash', LATE_DAYS)
}

/** Corrections once more, in case that what they replace stood on a later page. */
async function correct(
  { store }: CollectDeps,
  accountId: number,
  kind: StoredKind,
  corrections: readonly AccountActivity[],
): Promise<void> {
  if (corrections.length > 0) await store.addActivities(accountId, kind, corrections)
}

/** Corrections among the activities, with the other parts of the same id, which are stored anew together. */
function correctionsAmong(activities: readonly AccountActivity[]): AccountActivity[] {
  const ids = new Set(activities.filter(isCorrection).map(({ id }) => id))
  return activities.filter(({ id }) => ids.has(id))
}

async function collectKind(deps: CollectDeps, accountId: number, broker: Broker, kind: StoredKind): Promise<void> {
  const { store, pause } = deps
  const corrections: AccountActivity[] = []
  const { page: start, isComplete: wasComplete } = await store.progress(accountId, kind)
  const pages = countPages()
  let page = start
  for (;;) {
    pages.next()
    const query = { kind, order: 'oldest-first', ...(page !== undefined && { page }) } as const
    const { activities, next } = await broker.activities(query)
    // The end is asked for again next time, when more may have come after it.
    const progress = { page: next ?? page, isComplete: wasComplete || next === undefined }
    await store.addActivities(accountId, kind, activities, progress)
    corrections.push(...correctionsAmong(activities))
    if (next === undefined) return correct(deps, accountId, kind, corrections)
    page = next
    await pause()
  }
}

/** Exchanges and brokers cancel or correct an execution within days. */
const BUSTED_DAYS = 7

/** What was booked later for an earlier day, or corrected, lies before the page that was reached. */
async function collectLate(
  deps: CollectDeps,
  accountId: number,
  broker: Broker,
  kind: StoredKind,
  days: number,
): Promise<void> {
  const { store, now, pause } = deps
  const corrections: AccountActivity[] = []
  const since = now().getTime() - days * DAY
  const pages = countPages()
  let page: string | undefined
  do {
    pages.next()
    await pause()
    const query = { kind, order: 'oldest-first', since, ...(page !== undefined && { page }) } as const
    const answer = await broker.activities(query)
    await store.addActivities(accountId, kind, answer.activities)
    corrections.push(...correctionsAmong(answer.activities))
    page = answer.next
  } while (page !== undefined)
  await correct(deps, accountId, kind, corrections)
}

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
