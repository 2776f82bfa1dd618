import { Decimal } from '@tradewright/core/decimal'
import type { Note } from '@tradewright/core/note'
import { Problem } from '@tradewright/core/problem'
import { DAY, epochDayOf } from '@tradewright/core/time'
import {
  brokenLossLimit,
  type LimitScope,
  looserLimit,
  type OrderLimits,
  withinLimits,
} from '@tradewright/engine/live/order-limits'
import type { SizedOrder } from '@tradewright/engine/live/sized-order'
import { sliceOfDeployment, valueOf } from '@tradewright/engine/trading/ledger/books'
import type { Deployment } from '../../deployment.ts'
import type { LiveStores } from '../../ports/database.ts'
import type { Plan, Proposed, Reconciliation } from '../types.ts'

type Orders = Pick<LiveStores, 'orders'>

const startOfDay = (at: Date): Date => new Date(epochDayOf(at.getTime()) * DAY)

const usdOf = (amount: number | null | undefined) => (amount ? Decimal.fromNumber(amount) : undefined)

/** The limits that a user set for one deployment, beside the operator's for its account. */
function limitsOfUser({
  settings: { orderLimits: limits },
}: {
  readonly settings: Pick<Deployment['settings'], 'orderLimits'>
}): OrderLimits {
  return {
    maxOrderValue: usdOf(limits?.maxOrderUsd),
    maxDailyValue: usdOf(limits?.maxDailyUsd),
    maxDailyOrders: limits?.maxDailyOrders ?? undefined,
    maxDailyTurnoverPct: limits?.maxDailyTurnoverPct ?? undefined,
    maxDailyLossPct: limits?.maxAccountLossPct ?? undefined,
    maxOrderPct: limits?.maxOrderPct ?? undefined,
    maxOrderMultiple: limits?.maxOrderMultiple ?? undefined,
  }
}

export function refuseLooserLimits(
  { limits: operator }: { readonly limits: OrderLimits },
  settings: Pick<Deployment['settings'], 'orderLimits'>,
): void {
  const sentence = looserLimit(limitsOfUser({ settings }), operator)
  if (sentence) throw new Problem('invalid', 'deployment.order-limits', sentence)
}

/** Why the account of a deployment may not trade today, by the operator's limit or the user's. */
export const lossOfAccount = (
  operator: OrderLimits,
  deployment: Deployment,
  { account, externalFlow }: Pick<Reconciliation, 'account' | 'externalFlow'>,
): string | undefined => brokenLossLimit({ ...account, externalFlow }, [operator, limitsOfUser(deployment)])

const areSet = (limits: OrderLimits): boolean => Object.values(limits).some((limit) => limit !== undefined)

type Known = Pick<Reconciliation, 'account' | 'externalFlow' | 'books' | 'prices'>

async function accountScope(
  { orders }: Orders,
  accountId: number,
  { account }: Known,
  limits: OrderLimits,
  at: Date,
): Promise<LimitScope> {
  const day = await orders.ofDay({ accountId }, startOfDay(at))
  return { of: 'an account', limits, day, value: account.equity }
}

async function userScope(
  { orders }: Orders,
  deployment: Deployment,
  { books, prices }: Known,
  at: Date,
): Promise<LimitScope> {
  const day = await orders.ofDay({ deploymentId: deployment.id }, startOfDay(at))
  const value = valueOf(sliceOfDeployment(books, deployment.id), (ticker) => prices.get(ticker))
  const limits = limitsOfUser(deployment)
  const usual = limits.maxOrderMultiple === undefined ? undefined : await orders.largest(deployment.id)
  return { of: 'this deployment', limits, day, value, usual }
}

interface Limited {
  readonly orders: readonly SizedOrder[]
  readonly notes: readonly Note[]
}

/** Orders that all limits allow, in the transaction that journals them: it holds the account. */
export async function limitOrders(
  stores: Orders,
  deployment: Deployment,
  reconciliation: Known,
  planned: readonly SizedOrder[],
  operator: OrderLimits,
  at: Date,
): Promise<Limited> {
  if (planned.length === 0 || ![operator, limitsOfUser(deployment)].some(areSet)) return { orders: planned, notes: [] }
  const { account, externalFlow } = reconciliation
  const scopes = [
    await accountScope(stores, deployment.accountId, reconciliation, operator, at),
    await userScope(stores, deployment, reconciliation, at),
  ]
  return withinLimits(planned, scopes, { ...account, externalFlow })
}

interface ToLimit extends Proposed {
  readonly plan: Plan
}

/** The same for deployments that decide together, one after another: each finds what those before have used. */
export async function limitPlans<One extends ToLimit>(
  stores: Orders,
  planned: readonly One[],
  operator: OrderLimits,
  at: Date,
): Promise<readonly One[]> {
  const trading = planned.filter(({ plan }) => plan.orders.length > 0)
  const all = [operator, ...trading.map(({ deployment }) => limitsOfUser(deployment))]
  if (trading.length === 0 || !all.some(areSet)) return planned
  const { deployment, reconciliation } = trading[0]!
  let ofAccount = await accountScope(stores, deployment.accountId, reconciliation, operator, at)
  const limited: One[] = []
  for (const one of planned) {
    const { account, externalFlow } = one.reconciliation
    const own = await userScope(stores, one.deployment, one.reconciliation, at)
    const { orders, notes, scopes } = withinLimits(one.plan.orders, [ofAccount, own], { ...account, externalFlow })
    const isDry = one.plan.outcome === 'dry_run'
    if (!isDry) ofAccount = scopes[0]!
    const isOver = orders.length === 0 && one.plan.netted.length === 0 && one.plan.orders.length > 0
    const outcome = isOver && !isDry ? 'done' : one.plan.outcome
    limited.push({ ...one, plan: { ...one.plan, outcome, orders, notes: [...one.plan.notes, ...notes] } })
  }
  return limited
}
