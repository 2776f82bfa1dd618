import { apportion, usdPerShare } from '@tradewright/core/money'
import type { UtcMillis } from '@tradewright/core/time'
import type { CashActivity } from '../account-activity.ts'
import type { Fill } from '../broker.ts'
import type { Books, Slice } from './books.ts'
import { deploymentIdOf, type Entry, type Party, partyOf, transfer, USD } from './entry.ts'
import { feeEntries, isFee, type PartyTrade } from './fees.ts'
import { flowEntry } from './flow-entry.ts'
import { holdersOf } from './holders.ts'

/** Entries of an execution. Without a deployment it was ordered by hand, and the unallocated rest bears it. */
export function fillEntries(fill: Fill, deploymentId: number | undefined): Entry[] {
  const party: Party = deploymentId === undefined ? 'unallocated' : partyOf(deploymentId)
  const paid = fill.quantity.times(fill.price)
  const isBuy = fill.side === 'buy'
  const [giver, taker]: [Party, Party] = isBuy ? [party, 'market'] : ['market', party]
  const own = deploymentId === undefined ? undefined : isBuy ? ('TRADE_BUY' as const) : ('TRADE_SELL' as const)
  const trade: Entry = {
    type: own ?? 'EXTERNAL_TRADE',
    key: `fill:${fill.executionId}`,
    at: fill.at,
    deploymentId,
    legs: [...transfer(giver, taker, USD, paid), ...transfer(taker, giver, fill.ticker, fill.quantity)],
    amount: paid,
    direction: isBuy ? 'out' : 'in',
    note: `${isBuy ? 'Bought' : 'Sold'} ${String(fill.quantity)} ${fill.ticker} at ${usdPerShare(fill.price)}`,
  }
  if (fill.fee.isZero) return [trade]
  const fee: Entry = {
    ...trade,
    type: deploymentId === undefined ? 'EXTERNAL_FLOW' : 'FEE',
    key: `fee:${fill.executionId}`,
    legs: transfer(party, 'market', USD, fill.fee),
    amount: fill.fee,
    direction: 'out',
    note: `Fee of ${isBuy ? 'buying' : 'selling'} ${fill.ticker}`,
  }
  return [trade, fee]
}

/** The books begin with the broker's figures, all of them in the unallocated rest. */
export const openingEntry = (at: UtcMillis, { cash, positions }: Slice): Entry => ({
  type: 'OPENING',
  key: 'opening',
  at,
  deploymentId: undefined,
  legs: [
    ...transfer('market', 'unallocated', USD, cash),
    ...[...positions].flatMap(([ticker, quantity]) => transfer('market', 'unallocated', ticker, quantity)),
  ],
  amount: cash,
  direction: 'in',
  note: 'Books opened with what the broker holds',
})

/** Dividends and their taxes, distributions of capital gains, charges that a depositary passes on, interest on borrowed shares. */
const PER_SHARE = /^(DIV|CGD|PTC|PTR|INT)/

/**
 * A dividend belongs to the holders of the shares, and is paid by those who owe them, in the books as they were before its
 * ex-date; a fee to those who traded them;
 * everything else that comes or goes is the account's own. Movements of shares instead of money are not booked here but where the broker's positions show
 * them.
 */
export function cashActivityEntries(books: Books, activity: CashActivity, trades: readonly PartyTrade[] = []): Entry[] {
  const { ticker, netAmount } = activity
  if (netAmount.isZero || activity.quantity) return []
  if (isFee(activity)) return feeEntries(activity, trades)
  const holders = ticker === undefined || !PER_SHARE.test(activity.type) ? [] : holdersOf(books, ticker)
  if (holders.length === 0) return [flowEntry(`activity:${activity.id}`, activity.at, netAmount, activity.description)]
  const parts = apportion(
    netAmount,
    holders.map(({ quantity }) => quantity),
  )
  const type = activity.type.startsWith('INT') ? ('INTEREST' as const) : ('DIVIDEND' as const)
  return holders.map(({ party }, i) => ({
    type: deploymentIdOf(party) === undefined ? ('EXTERNAL_FLOW' as const) : type,
    key: `activity:${activity.id}:${party}`,
    at: activity.at,
    deploymentId: deploymentIdOf(party),
    legs: transfer('market', party, USD, parts[i]!),
    amount: parts[i]!.absolute(),
    direction: parts[i]!.isNegative ? ('out' as const) : ('in' as const),
    note: activity.description || `${type === 'INTEREST' ? 'Interest on' : 'Dividend of'} ${ticker}`,
  }))
}
