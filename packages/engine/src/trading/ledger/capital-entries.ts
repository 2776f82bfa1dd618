import { Decimal } from '@tradewright/core/decimal'
import { type Usd, usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import type { UtcMillis } from '@tradewright/core/time'
import { freeCash, type PriceOf, type Slice, valueOf } from './books.ts'
import { type Entry, type Leg, partyOf, transfer, USD } from './entry.ts'

interface EntryHead {
  readonly key: string
  readonly at: UtcMillis
  readonly deploymentId: number
  readonly note?: string | undefined
}

const HUNDRED = Decimal.parse('100')
const CENT = Decimal.parse('0.01')

const entryOf = (
  { key, at, deploymentId, note }: EntryHead,
  type: Entry['type'],
  direction: Entry['direction'],
  amount: Usd,
  legs: readonly Leg[],
): Entry => ({ type, key, at, deploymentId, legs, amount, direction, note })

/** Cash of the account becomes the deployment's. */
export function contribution(head: EntryHead, amount: Usd, available: Usd): Entry {
  if (!amount.isPositive) throw notPositive()
  if (available.isBelow(amount)) {
    throw invalid('contribution', `Contribution exceeds account available capital (${usd(notBelowZero(available))}).`)
  }
  return entryOf(head, 'CONTRIBUTION', 'in', amount, transfer('unallocated', partyOf(head.deploymentId), USD, amount))
}

/** Cash of the deployment becomes the account's. What borrowed shares were sold for is owed, and stays. */
export function withdrawal(head: EntryHead, amount: Usd, slice: Slice, priceOf: PriceOf): Entry {
  if (!amount.isPositive) throw notPositive()
  const free = freeCash(slice, priceOf) ?? Decimal.zero
  if (free.isBelow(amount)) {
    throw invalid('withdrawal', `Withdrawal exceeds available cash (${usd(notBelowZero(free))}).`)
  }
  return entryOf(head, 'WITHDRAWAL', 'out', amount, transfer(partyOf(head.deploymentId), 'unallocated', USD, amount))
}

/** Unallocated shares become the deployment's, at what they are worth now. */
export function positionContribution(head: EntryHead, ticker: string, quantity: Decimal, price: Usd): Entry {
  const legs = transfer('unallocated', partyOf(head.deploymentId), ticker, quantity)
  return entryOf(head, 'CONTRIBUTION', 'in', quantity.times(price), legs)
}

/** A percent of everything the deployment owns goes back to the account in kind, so nothing has to be sold. */
export function disallocation(head: EntryHead, pct: Decimal, slice: Slice, priceOf: PriceOf): Entry {
  if (pct.isBelow(Decimal.parse('1')) || HUNDRED.isBelow(pct)) {
    throw invalid('disallocation', 'Please enter a valid percentage between 1 and 100.')
  }
  refuseShorts('disallocation', slice)
  const part = (amount: Decimal) => (pct.equals(HUNDRED) ? amount : amount.times(pct).dividedBy(HUNDRED))
  const amount = part(valueOf(slice, priceOf))
  if (amount.isBelow(CENT)) {
    throw invalid('disallocation', 'Disallocation amount too small. Current capital may be near zero.')
  }
  return entryOf(head, 'DISALLOCATION', 'out', amount, backToAccount(head.deploymentId, slice, part))
}

/** Everything goes back, however little it is worth: the end of a deployment. */
export function release(head: EntryHead, slice: Slice, priceOf: PriceOf): Entry {
  refuseShorts('release', slice)
  return entryOf(
    head,
    'DISALLOCATION',
    'out',
    valueOf(slice, priceOf),
    backToAccount(head.deploymentId, slice, (all) => all),
  )
}

/** A short position that no strategy looks after could lose any amount. */
function refuseShorts(what: string, { positions }: Slice): void {
  const shorts = [...positions].filter(([, quantity]) => quantity.isNegative).map(([ticker]) => ticker)
  if (shorts.length === 0) return
  throw new Problem(
    'conflict',
    `capital.${what}`,
    `It is short of ${shorts.join(', ')}. Stop it and sell everything first, which buys these shares back.`,
  )
}

function backToAccount(deploymentId: number, { cash, positions }: Slice, part: (amount: Decimal) => Decimal): Leg[] {
  const own = partyOf(deploymentId)
  return [
    ...transfer(own, 'unallocated', USD, part(cash)),
    ...[...positions].flatMap(([ticker, quantity]) => transfer(own, 'unallocated', ticker, part(quantity))),
  ]
}

/**
 * Brings a deployment with a percent of the account to that percent, as far as cash allows: up from the unallocated
 * rest, down from its own cash. Undefined where less than a dollar would move.
 */
export function percentRebalance(
  head: EntryHead,
  { target, value, cash, available }: { target: Usd; value: Usd; cash: Usd; available: Usd },
): Entry | undefined {
  const own = partyOf(head.deploymentId)
  const wanted = target.minus(value)
  const possible = wanted.isPositive ? available : cash
  const moved = notBelowZero(possible.isBelow(wanted.absolute()) ? possible : wanted.absolute())
  if (moved.isBelow(Decimal.parse('1'))) return undefined
  return wanted.isPositive
    ? entryOf(head, 'REBALANCE', 'in', moved, transfer('unallocated', own, USD, moved))
    : entryOf(head, 'REBALANCE', 'out', moved, transfer(own, 'unallocated', USD, moved))
}

const notBelowZero = (amount: Usd): Usd => (amount.isNegative ? Decimal.zero : amount)

const notPositive = () => invalid('amount', 'Please enter a positive contribution amount.')

const invalid = (what: string, message: string) => new Problem('invalid', `capital.${what}`, message)
