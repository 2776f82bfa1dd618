import { Decimal } from '@tradewright/core/decimal'
import { type Usd, usd } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import type { SizedOrder } from './order-plan.ts'

/** Of an account; what is absent is not limited. */
export interface OrderLimits {
  readonly maxOrderValue?: Usd | undefined
  readonly maxDailyValue?: Usd | undefined
  readonly maxDailyOrders?: number | undefined
  /** Value of a day's orders in percent of the account. */
  readonly maxDailyTurnoverPct?: number | undefined
  readonly maxDailyLossPct?: number | undefined
}

/** Orders of an account on one day. */
export interface DayOrders {
  readonly count: number
  readonly value: Usd
}

interface Limited {
  readonly orders: readonly SizedOrder[]
  /** One for each order that is left out. */
  readonly notes: readonly Note<'order-limit'>[]
  /** With those that are left in. */
  readonly day: DayOrders
}

const HUNDRED = Decimal.parse('100')

/** Leaves out what exceeds a limit; a smaller order after it may still fit. */
export function withinLimits(
  orders: readonly SizedOrder[],
  before: DayOrders,
  equity: Usd,
  limits: OrderLimits,
): Limited {
  const notes: Note<'order-limit'>[] = []
  let day = before
  const kept = orders.filter((order) => {
    const after = { count: day.count + 1, value: day.value.plus(order.estimatedValue) }
    const broken = brokenLimit(order, after, equity, limits)
    if (broken === undefined) day = after
    else notes.push({ code: 'order-limit', level: 'error', sentence: `${nameOf(order)} is not sent: ${broken}.` })
    return broken === undefined
  })
  return { orders: kept, notes, day }
}

const nameOf = ({ side, ticker, estimatedValue }: SizedOrder): string =>
  `The order to ${side} ${usd(estimatedValue)} of ${ticker}`

function brokenLimit(
  { estimatedValue }: SizedOrder,
  { count, value }: DayOrders,
  equity: Usd,
  { maxOrderValue, maxDailyValue, maxDailyOrders, maxDailyTurnoverPct }: OrderLimits,
): string | undefined {
  const turnover = maxDailyTurnoverPct === undefined ? undefined : shareOf(equity, maxDailyTurnoverPct)
  if (maxOrderValue?.isBelow(estimatedValue)) return `one order may be of ${usd(maxOrderValue)} at most`
  if (maxDailyOrders !== undefined && maxDailyOrders < count)
    return `an account may send ${maxDailyOrders} orders a day`
  if (maxDailyValue?.isBelow(value)) return `an account may trade ${usd(maxDailyValue)} a day`
  if (turnover?.isBelow(value)) return `an account may trade ${maxDailyTurnoverPct} % of its value a day`
  return undefined
}

const shareOf = (equity: Usd, pct: number): Usd => equity.times(Decimal.fromNumber(pct)).dividedBy(HUNDRED)

interface AccountDay {
  readonly equity: Usd
  /** At the close of the session before; undefined where the broker does not say. */
  readonly lastEquity: Usd | undefined
  /** Money from outside since then: not a gain, and not a loss. */
  readonly externalFlow: Usd
}

/** Why an account may not trade today; undefined when it may. */
export function brokenLossLimit(
  { equity, lastEquity, externalFlow }: AccountDay,
  { maxDailyLossPct }: Pick<OrderLimits, 'maxDailyLossPct'>,
): string | undefined {
  if (maxDailyLossPct === undefined || !lastEquity?.isPositive) return undefined
  const loss = lastEquity.plus(externalFlow).minus(equity)
  const pct = loss.times(HUNDRED).dividedBy(lastEquity).toNumber()
  return pct > maxDailyLossPct
    ? `The account has lost ${pct.toFixed(2)} % today, more than the allowed ${maxDailyLossPct} %.`
    : undefined
}
