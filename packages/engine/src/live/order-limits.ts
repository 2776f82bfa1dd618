import { Decimal } from '@tradewright/core/decimal'
import { type Usd, usd } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import type { SizedOrder } from './sized-order.ts'

/** The limits of an account or of a deployment; what is absent is not limited. */
export interface OrderLimits {
  readonly maxOrderValue?: Usd | undefined
  readonly maxDailyValue?: Usd | undefined
  readonly maxDailyOrders?: number | undefined
  /** Value of a day's orders in percent of the account, or of the deployment. */
  readonly maxDailyTurnoverPct?: number | undefined
  /** In percent of the account, also where a deployment has the limit. */
  readonly maxDailyLossPct?: number | undefined
  /** The value of an order in percent of the account. */
  readonly maxOrderPct?: number | undefined
  /** How many times the largest of its latest orders an order may be worth. */
  readonly maxOrderMultiple?: number | undefined
}

/** What a new deployment with real money is limited to unless its user says otherwise: a slip of the hand, or a wrong figure. */
export const REAL_MONEY_LIMITS = { maxOrderPct: 25, maxOrderMultiple: 3, priceBandPct: 10 } as const

/** A deployment may always reach the weights that it is made for: of its share of the account, with some room. */
export const defaultOrderPct = (largestWeightPct: number, shareOfAccount: number): number =>
  Math.min(100, Math.max(REAL_MONEY_LIMITS.maxOrderPct, Math.ceil((largestWeightPct * shareOfAccount * 1.2) / 5) * 5))

export interface DayOrders {
  readonly count: number
  readonly value: Usd
}

/** Limits, and what counts towards them: those of the operator for an account, those of a user for a deployment. */
export interface LimitScope {
  readonly of: 'an account' | 'this deployment'
  readonly limits: OrderLimits
  /** Orders of the day so far. */
  readonly day: DayOrders
  /** What turnover is a percent of. */
  readonly value: Usd
  /** The largest of its latest orders; undefined while there is none. */
  readonly usual?: Usd | undefined
}

interface Limited {
  readonly orders: readonly SizedOrder[]
  /** One for each order that is left out. */
  readonly notes: readonly Note<'order-limit'>[]
  /** The scopes, with the orders that are left in counted. */
  readonly scopes: readonly LimitScope[]
}

const HUNDRED = Decimal.parse('100')

/**
 * Leaves out what exceeds a limit of any scope; a smaller order after it may still fit. The value of an order is that of all
 * its slices, which are left out together; the limits of a day count each slice, as the broker does.
 */
export function withinLimits(
  orders: readonly SizedOrder[],
  before: readonly LimitScope[],
  account: AccountDay,
): Limited {
  const notes: Note<'order-limit'>[] = []
  const loss = brokenLossLimit(
    account,
    before.map(({ limits }) => limits),
  )
  let scopes = before
  const wholes = wholeOrders(orders)
  const kept = orders.filter((order) => {
    const whole = wholes.get(nameOf(order))!
    const after = scopes.map((scope) => withOrder(scope, order))
    const all = before.map((scope) => tooLarge(whole, scope, account)).find((why) => why !== undefined)
    const broken = loss ?? all ?? after.map(brokenLimit).find((why) => why !== undefined)
    if (broken === undefined) scopes = after
    else if (!all || order === whole.first) notes.push(limitReached(all ? whole : order, broken))
    return broken === undefined
  })
  return { orders: kept, notes, scopes }
}

/** Slices of one order have its ticker and its side. */
const nameOf = ({ side, ticker }: SizedOrder): string => `${side} ${ticker}`

interface WholeOrder extends Pick<SizedOrder, 'side' | 'ticker' | 'estimatedValue'> {
  readonly first: SizedOrder
}

function wholeOrders(orders: readonly SizedOrder[]): Map<string, WholeOrder> {
  const wholes = new Map<string, WholeOrder>()
  for (const order of orders) {
    const known = wholes.get(nameOf(order))
    const estimatedValue = known ? known.estimatedValue.plus(order.estimatedValue) : order.estimatedValue
    wholes.set(nameOf(order), { ...order, first: known?.first ?? order, estimatedValue })
  }
  return wholes
}

const withOrder = (scope: LimitScope, { estimatedValue }: SizedOrder): LimitScope => ({
  ...scope,
  day: { count: scope.day.count + 1, value: scope.day.value.plus(estimatedValue) },
})

const limitReached = (
  { side, ticker, estimatedValue }: Pick<SizedOrder, 'side' | 'ticker' | 'estimatedValue'>,
  why: string,
): Note<'order-limit'> => ({
  code: 'order-limit',
  level: 'error',
  sentence: `Limit reached. The order to ${side} ${usd(estimatedValue)} of ${ticker} is not sent: ${why}`,
})

function tooLarge(
  { estimatedValue }: WholeOrder,
  { of, limits: { maxOrderValue, maxOrderPct, maxOrderMultiple }, usual }: LimitScope,
  { equity }: AccountDay,
): string | undefined {
  const one = `one order${of === 'an account' ? '' : ' of this deployment'} may be of`
  if (maxOrderValue?.isBelow(estimatedValue)) return `${one} ${usd(maxOrderValue)} at most.`
  const share = maxOrderPct === undefined ? undefined : shareOf(equity, maxOrderPct)
  if (share?.isBelow(estimatedValue))
    return `${one} ${maxOrderPct}% of the account, ${usd(share)}, at most. ${ifRight('Maximum share of the account')}`
  const most = usual && maxOrderMultiple !== undefined ? usual.times(Decimal.fromNumber(maxOrderMultiple)) : undefined
  if (most?.isBelow(estimatedValue))
    return `${one} ${maxOrderMultiple} times its largest lately, ${usd(most)}, at most. ${ifRight('Maximum multiple of its orders')}`
  return undefined
}

const ifRight = (field: string): string => `If it is right, raise "${field}" in the settings of the deployment.`

function brokenLimit({ of, limits, day, value }: LimitScope): string | undefined {
  const { maxDailyValue, maxDailyOrders, maxDailyTurnoverPct } = limits
  const turnover = maxDailyTurnoverPct === undefined ? undefined : shareOf(value, maxDailyTurnoverPct)
  if (maxDailyOrders !== undefined && maxDailyOrders < day.count)
    return `${of} may send ${maxDailyOrders} orders a day.`
  if (maxDailyValue?.isBelow(day.value)) return `${of} may trade ${usd(maxDailyValue)} a day.`
  if (turnover?.isBelow(day.value)) return `${of} may trade ${maxDailyTurnoverPct}% of its value a day.`
  return undefined
}

const shareOf = (value: Usd, pct: number): Usd => value.times(Decimal.fromNumber(pct)).dividedBy(HUNDRED)

interface AccountDay {
  readonly equity: Usd
  /** At the close of the session before; undefined where the broker does not say. */
  readonly lastEquity: Usd | undefined
  /** Money from outside since then: not a gain, and not a loss. */
  readonly externalFlow: Usd
}

/** Why an account may not trade today by the strictest of these limits; undefined when it may. */
export function brokenLossLimit(
  { equity, lastEquity, externalFlow }: AccountDay,
  limits: readonly Pick<OrderLimits, 'maxDailyLossPct'>[],
): string | undefined {
  const allowed = Math.min(...limits.map(({ maxDailyLossPct = Infinity }) => maxDailyLossPct))
  if (allowed === Infinity || !lastEquity?.isPositive) return undefined
  const loss = lastEquity.plus(externalFlow).minus(equity)
  const pct = loss.times(HUNDRED).dividedBy(lastEquity).toNumber()
  return pct > allowed ? `The account has lost ${pct.toFixed(2)}% today, more than the allowed ${allowed}%.` : undefined
}

/** Why limits of a user are looser than those of the operator; undefined where they are not. */
export function looserLimit(own: OrderLimits, operator: OrderLimits): string | undefined {
  const isAbove = (mine: Usd | undefined, theirs: Usd | undefined) => mine && theirs?.isBelow(mine)
  const isMore = (mine = 0, theirs = Infinity) => mine > theirs
  const allows = 'The operator of this instance allows'
  if (isAbove(own.maxOrderValue, operator.maxOrderValue))
    return `${allows} orders of ${usd(operator.maxOrderValue!)} at most.`
  if (isAbove(own.maxDailyValue, operator.maxDailyValue))
    return `${allows} an account to trade ${usd(operator.maxDailyValue!)} a day at most.`
  if (isMore(own.maxDailyOrders, operator.maxDailyOrders))
    return `${allows} an account ${operator.maxDailyOrders} orders a day at most.`
  if (isMore(own.maxDailyTurnoverPct, operator.maxDailyTurnoverPct))
    return `${allows} an account to trade ${operator.maxDailyTurnoverPct}% of its value a day at most.`
  if (isMore(own.maxDailyLossPct, operator.maxDailyLossPct))
    return `${allows} an account to lose ${operator.maxDailyLossPct}% a day at most.`
  return undefined
}
