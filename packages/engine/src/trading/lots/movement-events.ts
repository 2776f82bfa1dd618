import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { type AccountActivity, type CashActivity, isExternalFlow } from '../account-activity.ts'
import { isFee } from '../ledger/fees.ts'
import type { LotEvent } from './lot-event.ts'

interface Movement extends CashActivity {
  readonly ticker: string
  readonly quantity: Decimal
}

/** Shares that moved without a trade, and payments that lower their cost. */
export function movementEvents(
  activities: readonly AccountActivity[],
  averagePriceOf: (ticker: string) => Usd | undefined,
): LotEvent[] {
  const cash = activities.filter((each) => each.kind === 'cash').filter((each) => !isFee(each))
  const movements = cash.filter((each): each is Movement => each.ticker !== undefined && each.quantity !== undefined)
  const groups = Map.groupBy(movements, ({ type, day }) => `${type} ${day}`)
  const returned = cash.flatMap(({ id, type, ticker, day, netAmount }): LotEvent[] =>
    type === 'DIVROC' && ticker !== undefined && netAmount.isPositive
      ? [{ kind: 'return-of-capital', id, ticker, day, amount: netAmount }]
      : [],
  )
  return [...[...groups.values()].flatMap((group) => groupEvents(group, cash, averagePriceOf)), ...returned]
}

/** Activities of one type and day, which together are one action. */
function groupEvents(
  group: readonly Movement[],
  cash: readonly CashActivity[],
  averagePriceOf: (ticker: string) => Usd | undefined,
): LotEvent[] {
  const { type, day, id } = group[0]!
  if (isExternalFlow({ type })) return group.map((each) => transferEvent(each, averagePriceOf))
  const byTicker = Map.groupBy(group, ({ ticker }) => ticker)
  const net = [...byTicker].map(([ticker, all]) => ({ ticker, all, change: sum(all.map(({ quantity }) => quantity)) }))
  // Old shares out and new ones in under the same name are a split, whatever the broker calls it; so is a dividend in shares.
  if (type === 'SPLIT' || type.startsWith('DIV') || net.every(({ all }) => all.length > 1)) {
    return net.map(({ ticker, change }) => ({ kind: 'split', ticker, day, change }))
  }
  const [out, ...otherOuts] = net.filter(({ change }) => change.isNegative)
  const [into, ...otherIns] = net.filter(({ change }) => change.isPositive)
  if (out && into && otherOuts.length === 0 && otherIns.length === 0) {
    const quantity = out.change.negated()
    return [
      { kind: 'exchange', ticker: out.ticker, day, quantity, into: { ticker: into.ticker, quantity: into.change } },
    ]
  }
  return net.flatMap(({ ticker, change, all }): LotEvent[] => {
    if (!change.isNegative) return all.map((each) => transferEvent(each, averagePriceOf))
    const paid = sum(paymentsFor(cash, { type, day, ticker }).map(({ netAmount }) => netAmount))
    const quantity = change.negated()
    if (!paid.isPositive) return [{ kind: 'removal', ticker, day, quantity }]
    return [{ kind: 'trade', id, orderId: id, ticker, day, side: 'sell', quantity, amount: paid }]
  })
}

function transferEvent(
  { id, ticker, day, quantity, netAmount }: Movement,
  averagePriceOf: (ticker: string) => Usd | undefined,
): LotEvent {
  if (quantity.isNegative) return { kind: 'removal', ticker, day, quantity: quantity.negated() }
  const average = averagePriceOf(ticker)
  const basis = average ? quantity.times(average) : netAmount
  const origin = basis.isPositive ? 'transfer' : 'unknown'
  return { kind: 'opening', id, ticker, day, quantity, basis, origin }
}

/** Money for shares that were taken, in their own activity or beside it. */
const paymentsFor = (cash: readonly CashActivity[], of: { type: string; day: number; ticker: string }) =>
  cash.filter(
    ({ type, day, ticker, netAmount }) =>
      type === of.type && day === of.day && ticker === of.ticker && netAmount.isPositive,
  )

const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((total, each) => total.plus(each), Decimal.zero)
