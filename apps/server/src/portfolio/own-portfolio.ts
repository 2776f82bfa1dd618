import { isBuiltIn } from '@tradewright/core/broker-catalogue'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { MINUTE } from '@tradewright/core/time'
import type { AccountActivity } from '@tradewright/engine/trading/account-activity'
import type { BrokerageAccount } from '../brokerage/account.ts'
import { findAccount } from '../brokerage/own-accounts.ts'
import type { AccountRows } from '../brokerage/ports.ts'
import { accountFigures, type AccountFigures, newYorkDay, periodOf, type PeriodRequest } from './account-figures.ts'
import type { Benchmarks, BenchmarksFor } from './benchmarks.ts'
import type { PortfolioStore, StoredKind, TakenSnapshot } from './ports.ts'
import type { PortfolioRefresher } from './refresher.ts'

export interface PortfolioDeps {
  readonly accounts: AccountRows
  readonly store: PortfolioStore
  readonly refresher: PortfolioRefresher
  readonly benchmarks: BenchmarksFor
  readonly clock: Clock
}

interface PortfolioRequest extends PeriodRequest {
  /** The default account where none is named. */
  readonly accountId: number | undefined
  /** Ask the broker first, whatever is kept. */
  readonly forceRefresh: boolean
  /** Compare with the sample market where there are no real prices. */
  readonly maySynthetic: boolean
  /** Number of the newest trades and transactions. */
  readonly activities: number
}

export interface PortfolioView extends ActivityCounts {
  readonly account: BrokerageAccount
  readonly request: PortfolioRequest
  readonly taken: TakenSnapshot
  readonly figures: AccountFigures
  readonly benchmarks: Benchmarks
  readonly trades: readonly AccountActivity[]
  readonly transactions: readonly AccountActivity[]
  readonly ageMillis: number
  readonly isRefreshing: boolean
  /** Why the broker could not be asked; what is shown is older. */
  readonly warning: string | undefined
}

interface ActivityCounts {
  readonly tradesCount: number
  readonly transactionsCount: number
  readonly areActivitiesComplete: boolean
}

/** A younger snapshot is shown without asking the broker again. */
export const FRESH = MINUTE

export async function portfolioOf(
  deps: PortfolioDeps,
  userId: number,
  request: PortfolioRequest,
): Promise<PortfolioView> {
  const period = periodOf(request, newYorkDay(deps.clock.now()))
  const account = await chosenAccount(deps, userId, request.accountId)
  const { taken, isRefreshing } = await snapshotFor(deps, account, request.forceRefresh)
  const figures = accountFigures(taken, period)
  const newest = { offset: 0, limit: request.activities }
  const [benchmarks, trades, transactions, counts] = await Promise.all([
    deps.benchmarks({
      userId,
      days: figures.values.map(({ day }) => day),
      // The built-in account is itself priced by the sample market where there is nothing else.
      maySynthetic: request.maySynthetic || isBuiltIn(account.broker),
    }),
    deps.store.activities(account.id, 'trades', newest),
    deps.store.activities(account.id, 'cash', newest),
    activityCounts(deps, account.id),
  ])
  return {
    account,
    request,
    taken,
    figures,
    benchmarks,
    trades,
    transactions,
    ...counts,
    ageMillis: Math.max(0, deps.clock.now().getTime() - taken.takenAt.getTime()),
    isRefreshing: isRefreshing || benchmarks.isPending,
    warning: isRefreshing ? undefined : deps.refresher.failureOf(account.id),
  }
}

/** The snapshot is shown at once; a broker that fails costs its update only. */
export async function snapshotFor(
  { store, refresher, clock }: PortfolioDeps,
  account: BrokerageAccount,
  forceRefresh: boolean,
): Promise<{ taken: TakenSnapshot; isRefreshing: boolean }> {
  const kept = await store.snapshot(account.id)
  if (kept && !forceRefresh) {
    const age = clock.now().getTime() - kept.takenAt.getTime()
    if (age >= FRESH) refresher.refreshBehind(account)
    return { taken: kept, isRefreshing: refresher.isRefreshing(account.id) }
  }
  try {
    await refresher.refresh(account)
  } catch (error) {
    if (!kept || !(error instanceof Problem)) throw error
    return { taken: kept, isRefreshing: false }
  }
  const taken = await store.snapshot(account.id)
  if (!taken) throw new Error('a snapshot was taken but not kept')
  return { taken, isRefreshing: false }
}

export async function chosenAccount(
  { accounts }: PortfolioDeps,
  userId: number,
  accountId: number | undefined,
): Promise<BrokerageAccount> {
  if (accountId !== undefined) return findAccount({ rows: accounts }, userId, accountId)
  // The default one comes first.
  const [account] = await accounts.list(userId)
  if (!account) {
    throw new Problem('missing', 'portfolio.not-connected', 'No brokerage account is connected. Add one in Settings.')
  }
  return account
}

async function activityCounts({ store }: PortfolioDeps, accountId: number): Promise<ActivityCounts> {
  const [tradesCount, transactionsCount, trades, cash] = await Promise.all([
    store.countActivities(accountId, 'trades'),
    store.countActivities(accountId, 'cash'),
    store.progress(accountId, 'trades'),
    store.progress(accountId, 'cash'),
  ])
  return { tradesCount, transactionsCount, areActivitiesComplete: trades.isComplete && cash.isComplete }
}

interface ActivitiesPage extends ActivityCounts {
  readonly activities: readonly AccountActivity[]
}

export async function activitiesOf(
  deps: PortfolioDeps,
  userId: number,
  {
    accountId,
    kind,
    page,
    pageSize,
  }: { accountId: number | undefined; kind: StoredKind; page: number; pageSize: number },
): Promise<ActivitiesPage> {
  const account = await chosenAccount(deps, userId, accountId)
  const offset = (page - 1) * pageSize
  const [activities, counts] = await Promise.all([
    deps.store.activities(account.id, kind, { offset, limit: pageSize }),
    activityCounts(deps, account.id),
  ])
  // A program that asks for activities alone would otherwise wait for ever.
  if (!counts.areActivitiesComplete) deps.refresher.refreshBehind(account)
  return { activities, ...counts }
}
