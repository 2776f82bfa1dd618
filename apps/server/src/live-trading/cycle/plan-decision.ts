import { Decimal } from '@tradewright/core/decimal'
import type { Note } from '@tradewright/core/note'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, MINUTE } from '@tradewright/core/time'
import { nextRun } from '@tradewright/engine/live/schedule'
import { type Books, sliceOf, type Slice, sliceOfDeployment, valueOf } from '@tradewright/engine/trading/ledger/books'
import { percentRebalance } from '@tradewright/engine/trading/ledger/capital-entries'
import type { Entry } from '@tradewright/engine/trading/ledger/entry'
import type { DecisionOutcome } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { scheduleOf } from '../schedule.ts'
import { tradeInputs, tradesCoinsOnly } from './decide.ts'
import { purchases, sales } from './plan-trades.ts'
import type { CycleTime, Proposal, Reconciliation } from './types.ts'

/** A decision is carried out within this long, or it is another market. */
const LONGEST_EXECUTION = 15 * MINUTE

/** Until its run is over or the market closes: what is sent later would wait for the next opening. */
export function timeLeft(deployment: Deployment, { now, runsOutAt, calendar }: CycleTime): number {
  const day = epochDayOf(now.getTime())
  const close = tradesCoinsOnly(deployment) || !calendar.isSession(day) ? Infinity : calendar.closeOf(day)
  const left = Math.min(LONGEST_EXECUTION, runsOutAt.getTime() - now.getTime(), close - now.getTime())
  if (left > 0) return left
  throw new Problem('conflict', 'deployment.too-late', 'The decision came too late: nothing can be traded any more.')
}

/** When it decides again; null where its schedule has no further instant. */
export function nextRunOf(deployment: Deployment, { now, calendar }: Pick<CycleTime, 'now' | 'calendar'>): Date | null {
  const next = nextRun(scheduleOf(deployment), now.getTime(), calendar)
  return next === undefined ? null : new Date(next)
}

export interface Plan {
  readonly outcome: DecisionOutcome
  readonly orders: ReturnType<typeof sales>['orders']
  readonly notes: readonly Note[]
}

/** Sales where there are any; purchases at once where there are none. */
export function planOf(deployment: Deployment, proposal: Proposal, slice: Slice, reconciliation: Reconciliation): Plan {
  if (!proposal.answer.trades) return { outcome: 'held', orders: [], notes: [] }
  const inputs = tradeInputs(deployment, proposal, slice, reconciliation)
  const selling = sales(inputs)
  const buying = selling.orders.length > 0 && !deployment.settings.dryRun ? undefined : purchases(inputs)
  const orders = [...selling.orders, ...(buying?.orders ?? [])]
  const notes = [...selling.notes, ...(buying?.notes ?? [])]
  if (deployment.settings.dryRun) return { outcome: 'dry_run', orders, notes }
  if (orders.length === 0) return { outcome: 'done', orders, notes }
  return { outcome: selling.orders.length > 0 ? 'selling' : 'buying', orders, notes }
}

/** A deployment with a percent of the account is brought to it before it trades. */
export function capitalRebalance(
  deployment: Deployment,
  { account, prices }: Reconciliation,
  books: Books,
  at: Date,
): Entry | undefined {
  if (deployment.capitalPolicy !== 'percent_of_account' || deployment.settings.dryRun) return undefined
  const slice = sliceOfDeployment(books, deployment.id)
  const target = account.equity.times(deployment.capitalPolicyValue).dividedBy(Decimal.parse('100'))
  return percentRebalance(
    {
      key: `rebalance:${deployment.id}:${at.getTime()}`,
      at: at.getTime(),
      deploymentId: deployment.id,
      note: `Brought to ${String(deployment.capitalPolicyValue)} % of the account`,
    },
    {
      target,
      value: valueOf(slice, (ticker) => prices.get(ticker)),
      slice,
      available: sliceOf(books, 'unallocated').cash,
    },
  )
}
