import { Decimal } from '@tradewright/core/decimal'
import { shareOut, type Usd } from '@tradewright/core/money'
import type { UtcMillis } from '@tradewright/core/time'
import { accountTotal, type Books, sliceOf } from './books.ts'
import { flowEntry } from './broker-entries.ts'
import type { PositionDifference } from './compare.ts'
import { deploymentIdOf, type Entry, type Leg, type Party, transfer, USD } from './entry.ts'
import { type Holder, holdersOf, inProportion } from './holders.ts'

interface Occasion {
  readonly key: string
  readonly at: UtcMillis
  readonly note: string
}

/** A split changes what everybody holds in the same proportion, so that the account holds what the broker says. */
export function splitEntries(
  books: Books,
  { ticker, broker, books: booked }: PositionDifference,
  on: Occasion,
): Entry[] {
  const holders = holdersOf(books, ticker)
  const changes = inProportion(broker.minus(booked), holders)
  return holders.map(({ party }, i) =>
    ownEntry(party, 'SPLIT', on, transfer('market', party, ticker, changes[i]!), Decimal.zero),
  )
}

/**
 * Takes the broker's quantity as true: what is more belongs to nobody yet, what is missing is missing from what nobody
 * owns first, and from the deployments in proportion after that.
 */
export function positionCorrection(books: Books, difference: PositionDifference, on: Occasion): Entry[] {
  const { ticker, broker, books: booked } = difference
  const change = broker.minus(booked)
  const rest = sliceOf(books, 'unallocated').positions.get(ticker) ?? Decimal.zero
  const fromRest = change.isNegative && rest.plus(change).isNegative ? maximum(rest, Decimal.zero).negated() : change
  const own = ownEntry(
    'unallocated',
    'CORRECTION',
    on,
    transfer('market', 'unallocated', ticker, fromRest),
    Decimal.zero,
  )
  const missing = change.minus(fromRest)
  const owners = holdersOf(books, ticker).filter(isDeployment)
  const parts = inProportion(missing, owners)
  return [
    ...(fromRest.isZero ? [] : [own]),
    ...owners.flatMap(({ party }, i) =>
      parts[i]!.isZero
        ? []
        : [ownEntry(party, 'CORRECTION', on, transfer('market', party, ticker, parts[i]!), Decimal.zero)],
    ),
  ]
}

/**
 * Shares that were sold by hand although deployments owned them: these give the shares up and get what they are worth,
 * so that the sale counts for whoever had them.
 */
export function overdraftCorrection(books: Books, ticker: string, price: Usd, on: Occasion): Entry[] {
  const short = sliceOf(books, 'unallocated').positions.get(ticker) ?? Decimal.zero
  if (!short.isNegative) return []
  const owners = holdersOf(books, ticker).filter(isDeployment)
  const parts = inProportion(short.negated(), owners)
  return owners.map(({ party }, i) => {
    const worth = parts[i]!.times(price)
    const legs = [...transfer(party, 'unallocated', ticker, parts[i]!), ...transfer('unallocated', party, USD, worth)]
    return ownEntry(party, 'CORRECTION', on, legs, worth)
  })
}

/** Cash that is missing is missing from what nobody owns first, and from the deployments in proportion after that. */
export function cashCorrection(books: Books, brokerCash: Usd, on: Occasion): Entry[] {
  const difference = brokerCash.minus(accountTotal(books).cash)
  if (difference.isZero) return []
  const rest = maximum(sliceOf(books, 'unallocated').cash, Decimal.zero)
  const missing = rest.plus(difference)
  const owners = [...books].flatMap(([party, { cash }]) =>
    deploymentIdOf(party) !== undefined && cash.isPositive ? [{ party, quantity: cash }] : [],
  )
  if (!missing.isNegative || owners.length === 0) return [flowEntry(on.key, on.at, difference, on.note)]
  const shares = shareOut(
    missing,
    owners.map(({ quantity }) => quantity),
  )
  return [
    ...(rest.isZero ? [] : [flowEntry(on.key, on.at, rest.negated(), on.note)]),
    ...owners.map(({ party }, i) =>
      ownEntry(party, 'CORRECTION', on, transfer('market', party, USD, shares[i]!), shares[i]!.absolute()),
    ),
  ]
}

const isDeployment = ({ party }: Holder): boolean => deploymentIdOf(party) !== undefined

const maximum = (a: Decimal, b: Decimal): Decimal => (a.isBelow(b) ? b : a)

function ownEntry(party: Party, type: 'SPLIT' | 'CORRECTION', on: Occasion, legs: readonly Leg[], amount: Usd): Entry {
  const deploymentId = deploymentIdOf(party)
  const got = legs.find((leg) => leg.party === party)?.amount ?? Decimal.zero
  return {
    type: deploymentId === undefined ? 'EXTERNAL_TRADE' : type,
    key: `${on.key}:${party}`,
    at: on.at,
    deploymentId,
    legs,
    amount,
    direction: got.isNegative ? 'out' : got.isZero ? 'none' : 'in',
    note: on.note,
  }
}
