import { Decimal } from '@tradewright/core/decimal'
import { shareOut, type Usd } from '@tradewright/core/money'
import { type EpochDay, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '../../market/layers/stamps.ts'
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
  let otherFees = Decimal.zero
  for (const activity of activities) {
    if (activity.kind !== 'cash' || !isFee(activity)) continue
    const charged = chargedTrades(activity, byDay)
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
function chargedTrades(fee: CashActivity, byDay: ReadonlyMap<EpochDay, readonly Trade[]>): readonly Trade[] {
  const of = (day: EpochDay) =>
    (byDay.get(day) ?? []).filter(({ ticker }) => fee.ticker === undefined || ticker === fee.ticker)
  const days = Array.from({ length: FEE_DAYS + 1 }, (_, before) => fee.day - before)
  const at: UtcMillis = fee.bookedAt ?? fee.at
  const candidates = [
    ...days.slice(0, 2).map((day) => of(day).filter((trade) => trade.at === at)),
    ...days.map((day) => of(day).filter(({ side }) => side === (fee.quantity ? 'buy' : 'sell'))),
    ...(fee.quantity ? [] : days.map(of)),
  ]
  return candidates.find((some) => some.length > 0) ?? []
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
  const fees = shareOut(
    netAmount.negated(),
    trades.map(({ value }) => value),
  )
  for (const [i, trade] of trades.entries()) trade.fee = trade.fee.plus(fees[i]!)
}
