import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import { type AccountActivity, isCorrection } from '@tradewright/engine/trading/account-activity'
import type { Broker } from '@tradewright/engine/trading/broker'
import { PageCount } from '../page-count.ts'
import type { PortfolioStore, StoredKind } from './ports.ts'
import { LATE_DAYS } from './take-snapshot.ts'

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
