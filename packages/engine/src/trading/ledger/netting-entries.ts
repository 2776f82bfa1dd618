import type { Decimal } from '@tradewright/core/decimal'
import { type Usd, usdPerShare } from '@tradewright/core/money'
import type { UtcMillis } from '@tradewright/core/time'
import { type Entry, partyOf, transfer, USD } from './entry.ts'

/** Shares that one deployment sells to another of the same account, without an order. */
export interface NettedTrade {
  readonly ticker: string
  readonly quantity: Decimal
  readonly price: Usd
  readonly seller: number
  readonly buyer: number
}

/**
 * One entry for the ledger of each side, both through the unallocated rest, which ends as it was. No fee: nothing is
 * traded at the broker.
 */
export function nettingEntries(
  { ticker, quantity, price, seller, buyer }: NettedTrade,
  on: { readonly key: string; readonly at: UtcMillis },
): Entry[] {
  const amount = quantity.times(price)
  const what = `${String(quantity)} ${ticker} at ${usdPerShare(price)}`
  const legs = (from: Entry['legs'][number]['party'], to: typeof from) => [
    ...transfer(from, to, ticker, quantity),
    ...transfer(to, from, USD, amount),
  ]
  return [
    {
      type: 'TRADE_SELL',
      key: `${on.key}:sell`,
      at: on.at,
      deploymentId: seller,
      legs: legs(partyOf(seller), 'unallocated'),
      amount,
      direction: 'in',
      note: `Sold ${what} to another deployment of the account`,
    },
    {
      type: 'TRADE_BUY',
      key: `${on.key}:buy`,
      at: on.at,
      deploymentId: buyer,
      legs: legs('unallocated', partyOf(buyer)),
      amount,
      direction: 'out',
      note: `Bought ${what} from another deployment of the account`,
    },
  ]
}
