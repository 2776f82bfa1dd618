import type { Note } from '@tradewright/core/note'
import { type Usd, usd } from '@tradewright/core/money'
import { MINUTE } from '@tradewright/core/time'
import { runsOutAt } from '@tradewright/engine/live/schedule'
import type { TradingCalendar } from '@tradewright/engine/market/trading-calendar'
import { type Books, sliceOfDeployment, unpriced, valueOf } from '@tradewright/engine/trading/ledger/books'
import { inWords, OUTAGE } from '../../alerts/alert-events.ts'
import { type Deployment, dueTo } from '../deployment.ts'
import type { LiveDatabase } from '../ports/database.ts'
import { nextRunOf, scheduleOf } from '../schedule.ts'
import type { Reconciliation } from './types.ts'

/** Accounts with a running deployment are compared every minute; one that was not for so long was not watched. */
export const OUTAGE_MS = 10 * MINUTE
const MAX_COUNTED_RUNS = 1_000

/** An account as it was when it was last compared, a while ago. */
export interface Unwatched {
  readonly since: Date
  readonly books: Books
  readonly prices: ReadonlyMap<string, Usd>
}

/** Undefined while the account is watched. To be asked before it is compared again. */
export async function unwatchedAccount(
  { books }: Pick<LiveDatabase, 'books'>,
  accountId: number,
  now: Date,
): Promise<Unwatched | undefined> {
  const state = await books.state(accountId)
  if (!state?.comparedAt || now.getTime() - state.comparedAt.getTime() < OUTAGE_MS) return undefined
  return { since: state.comparedAt, books: await books.books(accountId), prices: state.prices }
}

/**
 * A clock that was ahead for a while has put the next run off: it is brought forward to the schedule's next one. Undefined where
 * the clock was not ahead. To be asked before the account is compared again.
 */
export async function broughtForward(
  database: LiveDatabase,
  accountId: number,
  { userId, id }: Deployment,
  time: { readonly now: Date; readonly calendar: TradingCalendar },
): Promise<Note | undefined> {
  const comparedAt = (await database.books.state(accountId))?.comparedAt
  const ahead = comparedAt ? comparedAt.getTime() - time.now.getTime() : 0
  if (ahead < OUTAGE_MS) return undefined
  const next = await database.transaction(async ({ deployments }) => {
    const current = await deployments.lock(userId, id)
    const run = current?.status === 'running' ? nextRunOf(current, time) : null
    if (!run || !current?.nextRunAt || current.nextRunAt <= run) return undefined
    await deployments.change(id, { nextRunAt: run })
    return run
  })
  if (!next) return undefined
  const sentence = `The clock of the server went back by ${inWords(ahead)}. The next check is on ${inUtc(next)}.`
  return { code: 'clock-back', level: 'warning', sentence }
}

interface After {
  readonly reconciliation: Pick<Reconciliation, 'books' | 'prices'>
  readonly now: Date
  readonly calendar: TradingCalendar
}

/** How long, what was missed, what changed in value: told before anything else. None for what did not run then. */
export async function outageNote(
  { deployments, journal }: Pick<LiveDatabase, 'deployments' | 'journal'>,
  deployment: Deployment,
  { since, books, prices }: Unwatched,
  { reconciliation, now, calendar }: After,
): Promise<Note | undefined> {
  const hasTraded = await journal.lastSnapshot(deployment.id, new Date(since.getTime() + MINUTE))
  const wasResumed = (await deployments.pauses(deployment.id)).some(({ to }) => to !== null && to > since)
  if (!hasTraded || wasResumed) return undefined
  const missed = missedRuns(deployment, now, calendar)
  const runs =
    missed === 0
      ? 'No run was missed.'
      : `${missed === MAX_COUNTED_RUNS ? `More than ${missed}` : missed} ${missed === 1 ? 'run was' : 'runs were'} missed.`
  const [before, after] = [
    valueIn(deployment, books, prices),
    valueIn(deployment, reconciliation.books, reconciliation.prices),
  ]
  const sentence = `Not watched for ${inWords(now.getTime() - since.getTime())}, since ${inUtc(since)}. ${runs} ${valueChange(before, after)}`
  return { code: OUTAGE, level: 'warning', sentence }
}

function missedRuns(deployment: Deployment, now: Date, calendar: TradingCalendar): number {
  const schedule = scheduleOf(deployment)
  let count = 0
  let run = deployment.nextRunAt
  while (run && count < MAX_COUNTED_RUNS && runsOutAt(schedule, run.getTime(), calendar) <= now.getTime()) {
    count++
    run = nextRunOf(deployment, { now: run, calendar })
  }
  return count
}

function valueIn(deployment: Deployment, books: Books, prices: ReadonlyMap<string, Usd>): Usd | undefined {
  const slice = sliceOfDeployment(books, deployment.id)
  const priceOf = (ticker: string) => prices.get(ticker)
  return unpriced(slice, priceOf).length > 0 ? undefined : valueOf(slice, priceOf).plus(dueTo(deployment))
}

function valueChange(before: Usd | undefined, after: Usd | undefined): string {
  if (!before || !after) return 'What changed in value is not known: a price is missing.'
  if (before.equals(after)) return `Its value is ${usd(after)}, as before.`
  const percent = before.isPositive ? (after.toNumber() / before.toNumber() - 1) * 100 : undefined
  const change = percent === undefined ? '' : ` (${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)}%)`
  return `Its value went from ${usd(before)} to ${usd(after)}${change}.`
}

/** The web app writes the moment in the user's format. */
const inUtc = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
