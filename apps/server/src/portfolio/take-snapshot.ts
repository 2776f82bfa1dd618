import { DAY, type EpochDay, epochDayOf } from '@tradewright/core/time'
import { Problem } from '@tradewright/core/problem'
import type { AccountActivity, ActivityKind } from '@tradewright/engine/trading/account-activity'
import type { Broker, Position } from '@tradewright/engine/trading/broker'
import type { PortfolioStore, StoredFlow, StoredPosition, StoredSnapshot } from './ports.ts'

/** Where the broker does not say when the account was opened. */
const MAX_HISTORY_DAYS = 20 * 366
/** Brokers book some activities days after the day they count for. */
export const LATE_DAYS = 30
/** An account with more external flows than fit these pages tells them by its daily history. */
const FLOW_PAGES = 60

interface SnapshotDeps {
  readonly store: PortfolioStore
  readonly now: () => Date
}

/** Asks the broker for everything a portfolio needs at once, and keeps it. Older activities are not needed for that. */
export async function takeSnapshot({ store, now }: SnapshotDeps, accountId: number, broker: Broker): Promise<void> {
  const takenAt = now()
  const [account, positions] = await Promise.all([broker.account(), broker.positions()])
  const openedOn = epochDayOf(account.openedAt ?? takenAt.getTime() - MAX_HISTORY_DAYS * DAY)
  const [history, flows, trades, cash] = await Promise.all([
    broker.equityHistory(openedOn - 1),
    externalFlows(store, accountId, broker),
    newestActivities(broker, 'trades'),
    newestActivities(broker, 'cash'),
  ])
  const snapshot: StoredSnapshot = {
    version: 1,
    account: {
      cash: String(account.cash),
      equity: String(account.equity),
      lastEquity: account.lastEquity ? String(account.lastEquity) : null,
      buyingPower: String(account.buyingPower),
    },
    positions: positions.map(toStored),
    history: {
      days: history.map(({ day }) => day),
      equity: history.map(({ equity }) => equity?.toNumber() ?? null),
      flows: history.some(({ externalFlow }) => externalFlow)
        ? history.map(({ externalFlow }) => externalFlow?.toNumber() ?? 0)
        : null,
    },
    flows,
  }
  await store.addActivities(accountId, 'trades', trades)
  await store.addActivities(accountId, 'cash', cash)
  await store.keep(accountId, snapshot, takenAt)
}

/** None when the broker fails to tell them: they are collected later, and the account is shown without. */
async function newestActivities(broker: Broker, kind: ActivityKind): Promise<readonly AccountActivity[]> {
  try {
    return (await broker.activities({ kind, order: 'newest-first' })).activities
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

const toStored = (position: Position): StoredPosition => ({
  ticker: position.ticker,
  quantity: String(position.quantity),
  averageEntryPrice: String(position.averageEntryPrice),
  price: String(position.price),
  marketValue: String(position.marketValue),
  isSynthetic: position.isSynthetic ?? false,
  ...(position.oldPrice && { oldPriceDay: position.oldPrice.day }),
})

/**
 * The stored flows, and those of late; everything, as long as the activities are not collected yet. Null when the
 * broker fails to tell them, which is not a reason to show nothing.
 */
async function externalFlows(store: PortfolioStore, accountId: number, broker: Broker): Promise<StoredFlow[] | null> {
  const { isComplete } = await store.progress(accountId, 'cash')
  const last = (await store.snapshot(accountId))?.takenAt
  // From the last snapshot on, however long ago it was, and the days before it that may have been booked late.
  const since = isComplete && last ? last.getTime() - LATE_DAYS * DAY : undefined
  try {
    const told = await everyActivity(broker, 'external', since)
    if (!told) return null
    await store.addActivities(accountId, 'cash', told)
    return await store.externalFlows(accountId)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** Undefined when there are too many to wait for. */
async function everyActivity(broker: Broker, kind: ActivityKind, since: number | undefined) {
  const found: AccountActivity[] = []
  let page: string | undefined
  for (let pages = 0; pages < FLOW_PAGES; pages++) {
    const answer = await broker.activities({
      kind,
      order: 'oldest-first',
      ...(since !== undefined && { since }),
      ...(page !== undefined && { page }),
    })
    found.push(...answer.activities)
    page = answer.next
    if (page === undefined) return found
  }
  return undefined
}

/** The day a broker's figures of this moment stand for: the last session that has begun. */
export function dayOfFigures(newYorkDay: EpochDay, isSession: (day: EpochDay) => boolean): EpochDay {
  let day = newYorkDay
  while (!isSession(day)) day--
  return day
}
