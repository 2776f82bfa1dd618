import { formatDate, DAY } from '@tradewright/core/time'
import type { AccountCurve, BacktestResult } from '@tradewright/engine/backtest/result'
import type { Clock } from '@tradewright/core/clock'
import type { Figure } from '@tradewright/engine/performance/figure'
import { growthOf, livedBars } from '../backtests/measurable-curve.ts'
import { readStored } from '../backtests/read-stored.ts'
import type { Stored } from '../backtests/stored.ts'

interface ResultSummary extends Omit<StoredSummary, 'curve' | 'startValue' | 'wipedOut'> {
  /** YYYY-MM-DD, first and last bar. */
  readonly from: string
  readonly to: string
  readonly growth: readonly number[]
}

interface Limits {
  readonly results: number
  readonly points: number
}

/** A summary that cannot be read is an error in its place, so that the caller can leave it out and say so. */
export type ReadSummary = { readonly id: number; readonly summary: ResultSummary | Error }

export async function homeResults(
  { results }: { results: ResultSummaryStore },
  userId: number,
  limits: Limits,
): Promise<{ latest: ReadSummary[]; best: ReadSummary[] }> {
  const [latest, best] = await Promise.all([
    results.newest(userId, limits.results),
    results.bestBySharpe(userId, limits.results),
  ])
  const stored = await results.summaries(userId, [...new Set([...latest, ...best])])
  const read = await Promise.all(stored.map((one) => readSummary(one, limits.points)))
  const byId = new Map(read.map((one) => [one.id, one]))
  // A backtest that was deleted in between is in neither list.
  const listed = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? [])
  return { latest: listed(latest), best: listed(best) }
}

async function readSummary(stored: StoredSummary, points: number): Promise<ReadSummary> {
  try {
    return { id: stored.id, summary: await summaryOf(stored, points) }
  } catch (error) {
    return { id: stored.id, summary: error instanceof Error ? error : new Error('unreadable', { cause: error }) }
  }
}

type ShortCurve = Pick<AccountCurve, 'days' | 'values' | 'nominalValues' | 'flows'>

async function summaryOf(stored: StoredSummary, points: number): Promise<ResultSummary> {
  const { curve: storedCurve, startValue, wipedOut, ...rest } = stored
  const curve = await readStored<ShortCurve>(storedCurve)
  const parts = { curve, settings: { startValue }, wipedOut }
  const length = livedBars(parts)
  return {
    ...rest,
    from: formatDate(curve.days[0]!),
    to: formatDate(curve.days[length - 1]!),
    growth: evenlyPicked(growthOf(parts, length), points),
  }
}

/** Picks at most so many values; the first and the last are always there. */
function evenlyPicked(values: ArrayLike<number>, count: number): number[] {
  if (values.length <= count) return Array.from(values)
  const step = (values.length - 1) / (count - 1)
  return Array.from({ length: count }, (_, index) => values[Math.round(index * step)]!)
}

const RECENT_MS = 7 * DAY
const MAX_ALERTS = 50

/** What is so now comes first, then what happened, newest first. */
export async function ownAlerts(
  { alerts, clock }: { alerts: AlertStore; clock: Clock },
  userId: number,
): Promise<Alert[]> {
  const since = new Date(clock.now().getTime() - RECENT_MS)
  const [blocked, events, accounts] = await Promise.all([
    alerts.blocked(userId),
    alerts.events(userId, since),
    alerts.unverifiedAccounts(userId),
  ])
  // A problem that stands was also told as an event when it began.
  const standing = new Set(blocked.map(({ id, text }) => `${id} ${text}`))
  const happened = events.filter(({ id, text }) => !standing.has(`${id} ${text}`))
  return [...blocked, ...accounts, ...happened].slice(0, MAX_ALERTS)
}

interface Deps {
  readonly checklists: ChecklistStore
}

/** Steps that are found done are kept: deleting a strategy later does not undo having saved one. */
export async function ownChecklist({ checklists }: Deps, userId: number): Promise<Checklist> {
  const [kept, traces] = await Promise.all([checklists.find(userId), checklists.traces(userId)])
  const added = traces.filter((step) => !kept.done.includes(step))
  if (added.length > 0) await checklists.addDone(userId, added)
  return { done: [...kept.done, ...added], isHidden: kept.isHidden }
}

export async function hideChecklist(deps: Deps, userId: number, isHidden: boolean): Promise<Checklist> {
  await deps.checklists.setHidden(userId, isHidden)
  return ownChecklist(deps, userId)
}

/** A backtest with the parts of its report that a line of a list shows. */
export interface StoredSummary {
  readonly id: number
  readonly name: string
  readonly strategyName: string
  readonly createdAt: Date
  readonly cagr: Figure
  readonly sharpe: Figure
  readonly maxDrawdown: number
  readonly synthetic: boolean
  readonly spliced: NonNullable<BacktestResult['spliced']>
  readonly startValue: number
  readonly wipedOut: NonNullable<BacktestResult['wipedOut']> | null
  readonly curve: Stored<Pick<AccountCurve, 'days' | 'values' | 'nominalValues' | 'flows'>>
}

export interface ResultSummaryStore {
  /** The newest of all runs that are kept, newest first. */
  newest(userId: number, limit: number): Promise<number[]>
  /** Saved backtests, the highest Sharpe ratio first, at most one of each strategy; those without one are left out. */
  bestBySharpe(userId: number, limit: number): Promise<number[]>
  /** In any order. */
  summaries(userId: number, ids: readonly number[]): Promise<StoredSummary[]>
}

export type ChecklistStep = 'backtest' | 'strategy' | 'data' | 'account' | 'deployment'

export interface Checklist {
  readonly done: readonly ChecklistStep[]
  readonly isHidden: boolean
}

export interface ChecklistStore {
  find(userId: number): Promise<Checklist>
  /** Steps whose traces are in the database now. */
  traces(userId: number): Promise<readonly ChecklistStep[]>
  /** Adds to what is done. */
  addDone(userId: number, steps: readonly ChecklistStep[]): Promise<void>
  setHidden(userId: number, isHidden: boolean): Promise<void>
}

export interface Alert {
  readonly source: 'deployment' | 'account'
  readonly id: number
  readonly name: string
  readonly level: 'warning' | 'error'
  readonly text: string
  /** Null for what is so now. */
  readonly at: Date | null
}

export interface AlertStore {
  /** Running deployments that do not trade. */
  blocked(userId: number): Promise<Alert[]>
  /** The newest warning or error of each deployment that is not stopped. */
  events(userId: number, since: Date): Promise<Alert[]>
  unverifiedAccounts(userId: number): Promise<Alert[]>
}
