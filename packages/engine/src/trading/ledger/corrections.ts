import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { UtcMillis } from '@tradewright/core/time'
import { accountTotal, type Books, sliceOf } from './books.ts'
import type { PositionDifference } from './compare.ts'
import { deploymentIdOf, type Entry, type Leg, type Party, transfer, USD } from './entry.ts'
import { flowEntry } from './flow-entry.ts'
import { debtorsOf, heldBy, type Holder, holdersOf, inProportion, isDeployment, ownersOf } from './holders.ts'

export interface Occasion {
  readonly key: string
  readonly at: UtcMillis
  readonly note: string
}

/** A split changes all holdings in the same proportion, so that the account holds what the broker says. */
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
 * Takes the broker's quantity as true, at this price: a surplus goes to the unallocated rest, a shortage is taken from it
 * first, and from the deployments in proportion after that. No party gives more than it has: what is short beyond that
 * was sold short by hand, and is the account's own.
 */
export function positionCorrection(books: Books, difference: PositionDifference, price: Usd, on: Occasion): Entry[] {
  const { ticker, broker, books: booked } = difference
  const change = broker.minus(booked)
  const owners = ownersOf(books, ticker).filter(isDeployment)
  const restAfter = (sliceOf(books, 'unallocated').positions.get(ticker) ?? Decimal.zero).plus(change)
  const given = change.isNegative ? minimum(maximum(restAfter.negated(), Decimal.zero), heldBy(owners)) : Decimal.zero
  return [
    ...correction('unallocated', ticker, change.plus(given), price, on),
    ...inProportion(given.negated(), owners).flatMap((part, i) =>
      correction(owners[i]!.party, ticker, part, price, on),
    ),
  ]
}

const correction = (party: Party, ticker: string, change: Decimal, price: Usd, on: Occasion): Entry[] =>
  change.isZero
    ? []
    : [ownEntry(party, 'CORRECTION', on, transfer('market', party, ticker, change), change.absolute().times(price))]

/**
 * Shares that were sold by hand although deployments owned them: these give the shares up, as many as they have, and
 * get what they are worth, so that the sale counts for their former owners. Shares that were bought by hand although
 * deployments owed them are given back by these, who pay what they are worth.
 */
export function overdraftCorrection(books: Books, ticker: string, price: Usd, on: Occasion): Entry[] {
  const rest = sliceOf(books, 'unallocated').positions.get(ticker) ?? Decimal.zero
  const isSold = rest.isNegative
  const concerned = (isSold ? ownersOf : debtorsOf)(books, ticker).filter(isDeployment)
  return givenUp(concerned, minimum(rest.absolute(), heldBy(concerned))).map(({ party, quantity }) => {
    const worth = quantity.times(price)
    const [giver, taker]: [Party, Party] = isSold ? [party, 'unallocated'] : ['unallocated', party]
    const legs = [...transfer(giver, taker, ticker, quantity), ...transfer(taker, giver, USD, worth)]
    return ownEntry(party, 'CORRECTION', on, legs, worth)
  })
}

const givenUp = (holders: readonly Holder[], quantity: Decimal): Holder[] =>
  inProportion(quantity, holders).map((part, i) => ({ party: holders[i]!.party, quantity: part }))

/**
 * Missing cash is taken from the unallocated rest first, and from the deployments in proportion after that, from each
 * no more than it has: a loan beyond that is the account's own.
 */
export function cashCorrection(books: Books, brokerCash: Usd, on: Occasion): Entry[] {
  const difference = brokerCash.minus(accountTotal(books).cash)
  const restAfter = sliceOf(books, 'unallocated').cash.plus(difference)
  const owners = [...books].flatMap(([party, { cash }]) =>
    deploymentIdOf(party) !== undefined && cash.isPositive ? [{ party, quantity: cash }] : [],
  )
  const given = minimum(maximum(restAfter.negated(), Decimal.zero), heldBy(owners))
  const ofAccount = difference.plus(given)
  const flow = ofAccount.isZero ? [] : [flowEntry(on.key, on.at, ofAccount, on.note)]
  if (!given.isPositive) return flow
  return [
    ...flow,
    ...inProportion(given.negated(), owners).map((part, i) => {
      const { party } = owners[i]!
      return ownEntry(party, 'CORRECTION', on, transfer('market', party, USD, part), part.absolute())
    }),
  ]
}

const maximum = (a: Decimal, b: Decimal): Decimal => (a.isBelow(b) ? b : a)

const minimum = (a: Decimal, b: Decimal): Decimal => (b.isBelow(a) ? b : a)

export function ownEntry(
  party: Party,
  type: 'SPLIT' | 'CORRECTION',
  on: Occasion,
  legs: readonly Leg[],
  amount: Usd,
): Entry {
  const deploymentId = deploymentIdOf(party)
  const own = legs.filter((leg) => leg.party === party)
  const got = (own.find(({ asset }) => asset === USD) ?? own[0])?.amount ?? Decimal.zero
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
