import { Decimal } from '@tradewright/core/decimal'
import { apportion, type Usd } from '@tradewright/core/money'
import { type EpochDay, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '../../market/layers/rows.ts'
import type { AccountActivity, CashActivity, TradeActivity } from '../account-activity.ts'
import { isFee } from '../ledger/fees.ts'
import { inProportion } from '../ledger/holders.ts'
import type { TradeEvent } from './lot-event.ts'

/** A fee is listed so many days after its trades at the latest. */
const FEE_DAYS = 5

interface Trade extends TradeActivity {
  readonly day: EpochDay
  readonly value: Usd
  fee: Usd
  /** Coins that the broker kept. */
  kept: Decimal
}

/** Executions with their fees, in the order in which they happened, and the fees of no known trade. */
export function tradeEvents(activities: readonly AccountActivity[]): { trades: TradeEvent[]; otherFees: Usd } {
  const trades = activities
    .filter((each) => each.kind === 'trade')
    .map((trade): Trade => {
      const day = epochDayOf(stampAsNewYorkDay(trade.at))
      const value = trade.quantity.times(trade.price)
      return Object.assign({}, trade, { day, value, fee: Decimal.zero, kept: Decimal.zero })
    })
    .sort((a, b) => a.at - b.at)
  const byDay = Map.groupBy(trades, ({ day }) => day)
  const byInstant = Map.groupBy(trades, ({ at }) => at)
  let otherFees = Decimal.zero
  for (const activity of activities) {
    if (activity.kind !== 'cash' || !isFee(activity)) continue
    const charged = chargedTrades(activity, byDay, byInstant)
    if (charged.length > 0) charge(activity, charged)
    else if (!activity.quantity) otherFees = otherFees.plus(activity.netAmount.negated())
  }
  return { trades: trades.map(toEvent), otherFees }
}

const toEvent = ({ id, orderId, ticker, day, side, quantity, value, fee, kept }: Trade): TradeEvent => ({
  kind: 'trade',
  id,
  orderId: orderId ?? id,
  ticker,
  day,
  side,
  quantity: side === 'buy' ? quantity.minus(kept) : quantity.plus(kept),
  amount: side === 'buy' ? value.plus(fee) : value.minus(fee),
})

/**
 * Trades of the fee's instant, else of the nearest day up to it: a fee in coins is for purchases, one in dollars for
 * sales, which exchanges charge.
 */
function chargedTrades(
  fee: CashActivity,
  byDay: ReadonlyMap<EpochDay, readonly Trade[]>,
  byInstant: ReadonlyMap<UtcMillis, readonly Trade[]>,
): readonly Trade[] {
  const own = (trades: readonly Trade[] = []) =>
    trades.filter(({ ticker }) => fee.ticker === undefined || ticker === fee.ticker)
  const instant = own(byInstant.get(fee.bookedAt ?? fee.at)).filter(({ day }) => day === fee.day || day === fee.day - 1)
  if (instant.length > 0) return instant
  const days = Array.from({ length: FEE_DAYS + 1 }, (_, before) => fee.day - before)
  const side = fee.quantity ? 'buy' : 'sell'
  for (const day of days) {
    const trades = own(byDay.get(day)).filter((trade) => trade.side === side)
    if (trades.length > 0) return trades
  }
  if (fee.quantity) return []
  return days.map((day) => own(byDay.get(day))).find((trades) => trades.length > 0) ?? []
}

function charge({ netAmount, quantity }: CashActivity, trades: readonly Trade[]): void {
  if (quantity) {
    const kept = inProportion(
      quantity.negated(),
      trades.map((trade) => ({ party: 'unallocated', quantity: trade.quantity })),
    )
    for (const [i, trade] of trades.entries()) trade.kept = trade.kept.plus(kept[i]!)
    return
  }
  const fees = apportion(
    netAmount.negated(),
    trades.map(({ value }) => value),
  )
  for (const [i, trade] of trades.entries()) trade.fee = trade.fee.plus(fees[i]!)
}
