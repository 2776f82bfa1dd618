import { DAY, epochDayOf, formatDate } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { activityId, uuid } from '../../apps/server/test-support/stand-ins/alpaca/activities.ts'
import type { AlpacaStandIn } from '../../apps/server/test-support/stand-ins/alpaca/alpaca.ts'

const YEARS = 10
const ACTIVITIES = 50_000

/** Ten years of daily values, a deposit a month, dividends, and trades until there are 50,000 activities. */
export function fillAccount({ account }: AlpacaStandIn, now: number): void {
  const today = epochDayOf(now)
  const sessions = [...nyse.sessionsBetween(today - Math.round(YEARS * 365.25), today)]
  account.createdAt = new Date(sessions[0]! * DAY).toISOString()
  account.history = sessions.map((day, i) => ({
    date: formatDate(day),
    equity: 100_000 + 40 * i + 5_000 * Math.sin(i / 40),
  }))
  const deposits = sessions.filter((_, i) => i % 21 === 0).map((day, i) => cash(i, day, 'CSD', '500'))
  const dividends = sessions.filter((_, i) => i % 5 === 2).map((day, i) => cash(100_000 + i, day, 'DIV', '12.5'))
  const count = ACTIVITIES - deposits.length - dividends.length
  const trades = Array.from({ length: count }, (_, i) => trade(i, sessions[Math.floor((i * sessions.length) / count)]!))
  account.load([...deposits, ...dividends, ...trades])
}

function cash(n: number, day: number, type: string, amount: string) {
  const date = formatDate(day)
  const id = activityId(`${date}T00:00:00Z`, 200_000 + n)
  return {
    id,
    activity_type: type,
    date,
    net_amount: amount,
    status: 'executed',
    description: `${type} of the benchmark`,
  }
}

function trade(n: number, day: number) {
  const at = new Date(nyse.openOf(day) + (n % 300) * 60_000 + (n % 1000)).toISOString()
  return {
    id: activityId(at, 500_000 + n),
    activity_type: 'FILL',
    transaction_time: at,
    type: 'fill',
    price: String(100 + (n % 50)),
    qty: '3.5',
    side: n % 2 === 0 ? 'buy' : 'sell',
    symbol: 'SPY',
    order_id: uuid(n),
    cum_qty: '3.5',
    leaves_qty: '0',
    order_status: 'filled',
  }
}
