import { type EpochDay, epochDayOf, civilDate, parseDate, toEpochDay, DAY } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/rows'
import {
  accountPerformance,
  type AccountPerformance,
  type AccountValue,
  placeFlows,
  type PlacedFlows,
  valuesOfPeriod,
} from '@tradewright/engine/performance/account-performance'
import { type Figure, notAvailable } from '@tradewright/engine/performance/figure'
import { Problem } from '@tradewright/core/problem'
import type { AccountActivity, ActivityKind } from '@tradewright/engine/trading/account-activity'
import type { Broker, Position } from '@tradewright/engine/trading/broker'
import type { StoredFlow, StoredSnapshot, TakenSnapshot, PortfolioStore, StoredPosition } from './ports.ts'

interface DailyResult {
  readonly amount: Figure
  readonly percent: Figure
}

export interface AccountFigures {
  /** Every day of the period with a value, oldest first. */
  readonly values: readonly AccountValue[]
  readonly performance: AccountPerformance
  readonly cashFlows: number
  /** Since the account was opened, in percent of what was paid in. */
  readonly overallReturnPercent: Figure
  readonly daily: DailyResult
}

export function accountFigures(taken: TakenSnapshot, period: Period): AccountFigures {
  const { snapshot } = taken
  const flows = snapshot.flows ?? flowsOfHistory(snapshot)
  const placed = placedFlows(taken, flows ?? [])
  const cut = valuesOfPeriod(placed.values, period)
  const common = { placement: placed.placement, flowsAreExact: snapshot.flows !== null }
  const performance = accountPerformance({ ...cut, ...common })
  const whole = accountPerformance({ values: placed.values, beginsWithAccount: true, ...common })
  const [first, last] = [cut.values[0]?.day ?? 0, cut.values.at(-1)?.day ?? 0]
  return {
    values: cut.values,
    performance: flows ? performance : withoutFlows(performance),
    cashFlows: (flows ?? []).filter(({ day, amount }) => day > first && day <= last && amount !== 0).length,
    overallReturnPercent: overallReturn(Number(snapshot.account.equity), whole.netContributions),
    daily: dailyResult(taken, placed, flows ?? []),
  }
}

/** Days on which the broker's history itself tells a flow. */
function flowsOfHistory({ history }: StoredSnapshot): StoredFlow[] | undefined {
  const { flows, days } = history
  return flows?.flatMap((amount, i) => (amount === 0 ? [] : [{ day: days[i]!, amount }]))
}

const UNKNOWN_FLOWS = notAvailable('deposits and withdrawals could not be read')

const withoutFlows = (performance: AccountPerformance): AccountPerformance => ({
  ...performance,
  method: 'insufficient_data',
  rate: UNKNOWN_FLOWS,
  totalReturn: UNKNOWN_FLOWS,
  moneyWeighted: UNKNOWN_FLOWS,
  growth: performance.growth.map(() => Number.NaN),
})

/** The history, and the value of the moment on the day it stands for. */
function placedFlows({ snapshot, takenAt }: TakenSnapshot, flows: readonly StoredFlow[]): PlacedFlows {
  const { days, equity } = snapshot.history
  const today = dayOfFigures(newYorkDay(takenAt), (day) => nyse.isSession(day))
  const current = Math.max(today, days.at(-1) ?? today)
  const before = days.findLastIndex((day) => day < current) + 1
  return placeFlows(
    {
      days: [...days.slice(0, before), current],
      equity: [...equity.slice(0, before), Number(snapshot.account.equity)],
    },
    flows,
    nyse,
  )
}

function overallReturn(equity: number, netContributions: number): Figure {
  if (!(netContributions > 0)) return notAvailable('withdrawals exceed contributions')
  return (100 * (equity - netContributions)) / netContributions
}

/** Against the close before, without what was paid in or out today. */
function dailyResult(
  { snapshot, takenAt }: TakenSnapshot,
  { values }: PlacedFlows,
  flows: readonly StoredFlow[],
): DailyResult {
  const { lastEquity, equity } = snapshot.account
  const today = newYorkDay(takenAt)
  const paidToday = flows.filter(({ day }) => day >= today).reduce((sum, { amount }) => sum + amount, 0)
  const opened = paidToday > 0 ? 0 : undefined
  const before = lastEquity === null ? (values.at(-2)?.value ?? opened) : Number(lastEquity)
  if (before === undefined) {
    const nothing = notAvailable('the value at the previous close is not known')
    return { amount: nothing, percent: nothing }
  }
  const amount = Number(equity) - before - paidToday
  // Money that arrived before or during the day took part in its return.
  const base = before > 0 ? before + Math.max(0, values.at(-1)?.invested ?? 0) : paidToday
  const percent = base > 0 ? (100 * amount) / base : notAvailable('the account was empty at the previous close')
  return { amount, percent }
}

export const newYorkDay = (at: Date): EpochDay => epochDayOf(stampAsNewYorkDay(at.getTime()))

export const periodFilters = ['all', 'ytd', '1y', '2y', '3y', 'custom'] as const
type PeriodFilter = (typeof periodFilters)[number]

export interface PeriodRequest {
  readonly filter: PeriodFilter
  /** For `custom` only. */
  readonly startDate: string | undefined
  readonly endDate: string | undefined
}

interface Period {
  readonly from: EpochDay
  readonly to: EpochDay
}

/** Both days are inside; the value at the end of the first one is what the period begins with. */
export function periodOf({ filter, startDate, endDate }: PeriodRequest, today: EpochDay): Period {
  if (filter === 'custom') return customPeriod(startDate, endDate)
  return { from: FIRST_DAYS[filter](today), to: today }
}

const FIRST_DAYS: Record<Exclude<PeriodFilter, 'custom'>, (today: EpochDay) => EpochDay> = {
  all: () => 0,
  ytd: (today) => toEpochDay(civilDate(today).year, 1, 1) - 1,
  '1y': (today) => yearsBefore(today, 1),
  '2y': (today) => yearsBefore(today, 2),
  '3y': (today) => yearsBefore(today, 3),
}

function customPeriod(startDate: string | undefined, endDate: string | undefined): Period {
  const from = startDate === undefined ? undefined : parseDate(startDate)
  const to = endDate === undefined ? undefined : parseDate(endDate)
  if (from === undefined || to === undefined) {
    throw new Problem('invalid', 'portfolio.dates', 'A custom period needs a start date and an end date.')
  }
  if (from > to) {
    throw new Problem('invalid', 'portfolio.dates', 'The start date must not be after the end date.')
  }
  return { from, to }
}

/** The 29th of February has the 28th as its anniversary. */
function yearsBefore(day: EpochDay, years: number): EpochDay {
  const { year, month, day: date } = civilDate(day)
  return toEpochDay(year - years, month, month === 2 && date === 29 ? 28 : date)
}

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
function dayOfFigures(newYorkDay: EpochDay, isSession: (day: EpochDay) => boolean): EpochDay {
  let day = newYorkDay
  while (!isSession(day)) day--
  return day
}
