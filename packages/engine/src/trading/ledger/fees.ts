import { Decimal } from '@tradewright/core/decimal'
import { apportion, type Usd } from '@tradewright/core/money'
import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import type { CashActivity } from '../account-activity.ts'
import type { OrderSide } from '../order.ts'
import { deploymentIdOf, type Entry, type Leg, type Party, transfer, USD } from './entry.ts'
import { flowEntry } from './flow-entry.ts'
import { type Holder, inProportion } from './holders.ts'

/** A recent execution with its owner, so that a fee finds the trade that caused it. */
export interface PartyTrade {
  readonly party: Party
  readonly executionId: string
  readonly ticker: string
  readonly side: OrderSide
  readonly quantity: Decimal
  readonly value: Usd
  /** The execution's own fee, where the broker says so at once. */
  readonly fee: Usd
  readonly at: UtcMillis
}

export const isFee = ({ type }: Pick<CashActivity, 'type'>): boolean => type === 'FEE' || type === 'CFEE'

/** A fee in dollars, divided among the trades that caused it; the account's own where none is known to have. */
export function feeEntries(activity: CashActivity, trades: readonly PartyTrade[]): Entry[] {
  const caused = tradesBehind(activity, trades)
  // An execution that brought its own fee has paid; a broker may list the same fee as an activity, too.
  if (caused.some(({ at, fee }) => at === activity.at && !fee.isZero)) return []
  const payers = payersOf(caused, ({ value }) => value)
  if (payers.length === 0) {
    return [flowEntry(`activity:${activity.id}`, activity.at, activity.netAmount, activity.description)]
  }
  const parts = apportion(
    activity.netAmount,
    payers.map(({ quantity }) => quantity),
  )
  return payers.flatMap(({ party }, i) => {
    const part = parts[i]!
    return part.isZero ? [] : [feeEntry(activity, party, transfer('market', party, USD, part), part)]
  })
}

/** The same for a fee that was taken in coins. */
export function coinFeeEntries(activity: CashActivity, taken: Decimal, trades: readonly PartyTrade[]): Entry[] {
  const payers = payersOf(tradesBehind(activity, trades), ({ quantity }) => quantity)
  const owners = payers.length === 0 ? [{ party: 'unallocated' as const, quantity: taken }] : payers
  return inProportion(taken, owners).flatMap((part, i) => {
    const { party } = owners[i]!
    if (part.isZero) return []
    const worth = activity.netAmount.absolute().times(part).dividedBy(taken)
    return [feeEntry(activity, party, transfer(party, 'market', activity.ticker!, part), worth.negated())]
  })
}

/**
 * The executions that a fee is for: those of its instant, else of its day, else the latest known. Coins are charged in
 * the coin when they are bought and in dollars when they are sold, and exchanges charge sales.
 */
export function tradesBehind({ ticker, at, day, quantity }: CashActivity, trades: readonly PartyTrade[]): PartyTrade[] {
  const own = trades.filter((trade) => ticker === undefined || trade.ticker === ticker)
  const charged = own.filter(({ side }) => side === (quantity ? 'buy' : 'sell'))
  const candidates = [
    own.filter((trade) => trade.at === at),
    charged.filter((trade) => epochDayOf(trade.at) === day),
    charged,
    own,
  ]
  return candidates.find((some) => some.length > 0) ?? []
}

function payersOf(trades: readonly PartyTrade[], weight: (trade: PartyTrade) => Decimal): Holder[] {
  const quantities = new Map<Party, Decimal>()
  for (const trade of trades)
    quantities.set(trade.party, (quantities.get(trade.party) ?? Decimal.zero).plus(weight(trade)))
  return [...quantities].filter(([, quantity]) => quantity.isPositive).map(([party, quantity]) => ({ party, quantity }))
}

function feeEntry(activity: CashActivity, party: Party, legs: readonly Leg[], change: Usd): Entry {
  const deploymentId = deploymentIdOf(party)
  return {
    type: deploymentId === undefined ? 'EXTERNAL_FLOW' : 'FEE',
    key: `activity:${activity.id}:${party}`,
    at: activity.at,
    deploymentId,
    legs,
    amount: change.absolute(),
    direction: change.isPositive ? 'in' : 'out',
    note: activity.description || `Fee of ${activity.ticker ?? 'trading'}`,
  }
}
