import { type OrderLimits, withinLimits } from '@tradewright/engine/live/order-limits'
import type { SizedOrder } from '@tradewright/engine/live/order-plan'
import type { Note } from '@tradewright/core/note'
import { DAY, epochDayOf } from '@tradewright/core/time'
import type { LiveStores } from '../../ports/database.ts'
import type { Plan, Proposed, Reconciliation } from '../types.ts'

const startOfDay = (at: Date): Date => new Date(epochDayOf(at.getTime()) * DAY)

const areSet = ({ maxOrderValue, maxDailyValue, maxDailyOrders, maxDailyTurnoverPct }: OrderLimits): boolean =>
  [maxOrderValue, maxDailyValue, maxDailyOrders, maxDailyTurnoverPct].some((limit) => limit !== undefined)

interface Limited {
  readonly orders: readonly SizedOrder[]
  readonly notes: readonly Note[]
}

/** Orders that the limits of the account allow, in the transaction that journals them: it holds the account. */
export async function limitOrders(
  { orders }: Pick<LiveStores, 'orders'>,
  accountId: number,
  { account }: Pick<Reconciliation, 'account'>,
  planned: readonly SizedOrder[],
  limits: OrderLimits,
  at: Date,
): Promise<Limited> {
  if (planned.length === 0 || !areSet(limits)) return { orders: planned, notes: [] }
  return withinLimits(planned, await orders.ofDay(accountId, startOfDay(at)), account.equity, limits)
}

interface ToLimit extends Proposed {
  readonly plan: Plan
}

/** The same for deployments that decide together, one after another: each finds what those before have used. */
export async function limitPlans<One extends ToLimit>(
  { orders }: Pick<LiveStores, 'orders'>,
  accountId: number,
  planned: readonly One[],
  limits: OrderLimits,
  at: Date,
): Promise<readonly One[]> {
  if (!areSet(limits) || planned.every(({ plan }) => plan.orders.length === 0)) return planned
  let day = await orders.ofDay(accountId, startOfDay(at))
  return planned.map((one) => {
    const { plan, reconciliation } = one
    const limited = withinLimits(plan.orders, day, reconciliation.account.equity, limits)
    if (plan.outcome !== 'dry_run') ({ day } = limited)
    const isOver = limited.orders.length === 0 && plan.netted.length === 0 && plan.orders.length > 0
    const outcome = isOver && plan.outcome !== 'dry_run' ? 'done' : plan.outcome
    return { ...one, plan: { ...plan, outcome, orders: limited.orders, notes: [...plan.notes, ...limited.notes] } }
  })
}
