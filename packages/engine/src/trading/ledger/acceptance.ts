import { Decimal } from '@tradewright/core/decimal'
import { apportion, type Usd, usd } from '@tradewright/core/money'
import { accountTotal, type Books, post, type PriceOf, type Slice, sliceOf } from './books.ts'
import { compareWithBroker, type PositionDifference } from './compare.ts'
import { type Occasion, ownEntry, positionCorrection } from './corrections.ts'
import { type Entry, type Leg, transfer, USD } from './entry.ts'
import { debtorsOf, type Holder, holdersOf, inProportion, isDeployment } from './holders.ts'

/** Shares of deployments that the broker holds no longer, and for which nothing came in. */
export interface UnexplainedLoss {
  readonly ticker: string
  readonly quantity: Decimal
  readonly value: Usd
}

interface Acceptance {
  readonly entries: readonly Entry[]
  readonly losses: readonly UnexplainedLoss[]
}

/** Prices as books and broker last agreed on them, and as the broker says now. */
interface Prices {
  readonly before: PriceOf
  readonly now: PriceOf
}

/**
 * What is booked when the broker's positions are taken as true. What changed belongs to those who held it: shares that came
 * in the place of others or of a part of them, and money that did. Only what nothing took the place of is a loss.
 */
export function acceptanceEntries(books: Books, broker: Slice, prices: Prices, on: Occasion): Acceptance {
  const { positions: differences } = compareWithBroker(books, broker)
  const lost = differences.filter((one) => one.broker.isBelow(one.books))
  const gained = differences.filter((one) => one.books.isBelow(one.broker))
  const entries: Entry[] = []
  const losses: UnexplainedLoss[] = []
  let now = books
  let cash = broker.cash.minus(accountTotal(books).cash)
  const take = (some: readonly Entry[]) => {
    now = some.reduce(post, now)
    entries.push(...some)
  }
  for (const difference of lost) {
    const own = keyed(on, difference.ticker)
    const isCovered = canGive(now, difference)
    const exchange = isCovered
      ? inExchange(
          difference,
          gained.filter(({ ticker }) => debtorsOf(now, ticker).length === 0),
          cash,
          prices,
        )
      : undefined
    if (exchange) {
      if (exchange.gain) gained.splice(gained.indexOf(exchange.gain), 1)
      cash = cash.minus(exchange.cash)
      take(exchangeEntries(now, difference, exchange, prices, own))
    } else if ((isCovered || isSplitOfDebt(now, difference)) && isLikeSplit(difference, prices)) {
      take(inProportionTo(difference, holdersOf(now, difference.ticker), prices, own))
    } else {
      const price = prices.before(difference.ticker) ?? prices.now(difference.ticker) ?? Decimal.zero
      const short = positionCorrection(now, difference, price, own)
      take(short)
      losses.push(...lossesOf(short, difference.ticker, price))
    }
  }
  for (const difference of gained) take(surplusEntries(now, difference, prices, keyed(on, difference.ticker)))
  return { entries, losses }
}

const keyed = (on: Occasion, what: string): Occasion => ({ ...on, key: `${on.key}:${what}` })

const isShort = (books: Books, ticker: string): boolean =>
  sliceOf(books, 'unallocated').positions.get(ticker)?.isNegative ?? false

/** No short by hand is among it, so that all that went was held here. */
const canGive = (books: Books, { ticker, broker, books: booked }: PositionDifference): boolean =>
  !broker.isNegative && booked.isPositive && !isShort(books, ticker)

interface Exchange {
  readonly gain: PositionDifference | undefined
  readonly cash: Usd
}

const changeOf = ({ broker, books }: PositionDifference): Decimal => broker.minus(books)

/** What came in for shares that went: as many others, or as much in value, in shares, in money or in both. */
function inExchange(
  lost: PositionDifference,
  gained: readonly PositionDifference[],
  cash: Usd,
  { before, now }: Prices,
): Exchange | undefined {
  const price = before(lost.ticker)
  const quantity = changeOf(lost).absolute()
  const value = price && quantity.times(price)
  const worth = (gain: PositionDifference) => changeOf(gain).times(now(gain.ticker) ?? Decimal.zero)
  const asMany = gained.find((gain) => changeOf(gain).equals(quantity) && (!value || isLike(worth(gain), value, 2)))
  if (asMany) return { gain: asMany, cash: Decimal.zero }
  if (!value) return undefined
  const asMuch = gained.find((gain) => isLike(worth(gain), value))
  if (asMuch) return { gain: asMuch, cash: Decimal.zero }
  if (!cash.isPositive) return undefined
  if (isLike(cash, value)) return { gain: undefined, cash }
  const both = gained.find((gain) => isLike(worth(gain).plus(cash), value))
  return both && { gain: both, cash }
}

/** Prices move between the last look and this one, seldom by more than this. */
const USUAL_MOVE = 1.25

function isLike(value: Usd, other: Usd, factor = USUAL_MOVE): boolean {
  const most = Decimal.fromNumber(factor)
  return value.isPositive && !other.times(most).isBelow(value) && !value.times(most).isBelow(other)
}

const EXCHANGED = { direction: 'none' } as const

function exchangeEntries(
  books: Books,
  lost: PositionDifference,
  { gain, cash }: Exchange,
  { now }: Prices,
  on: Occasion,
): Entry[] {
  const holders = holdersOf(books, lost.ticker)
  const given = inProportion(changeOf(lost), holders)
  const got = gain && inProportion(changeOf(gain), holders)
  const paid = cash.isZero
    ? undefined
    : apportion(
        cash,
        holders.map(({ quantity }) => quantity),
      )
  return holders.map(({ party }, i) => {
    const [shares, money] = [got?.[i] ?? Decimal.zero, paid?.[i] ?? Decimal.zero]
    const legs: Leg[] = [
      ...transfer('market', party, lost.ticker, given[i]!),
      ...(gain ? transfer('market', party, gain.ticker, shares) : []),
      ...transfer('market', party, USD, money),
    ]
    const amount = money.plus(shares.times((gain && now(gain.ticker)) ?? Decimal.zero))
    const what = [...(gain ? [`${String(shares)} ${gain.ticker}`] : []), ...(paid ? [usd(money)] : [])]
    const note = `${on.note}: ${String(given[i]!.absolute())} ${lost.ticker} became ${what.join(' and ')}`
    return Object.assign(ownEntry(party, 'CORRECTION', { key: on.key, at: on.at, note }, legs, amount), EXCHANGED)
  })
}

/** Deployments owe some of it, and more is owed: after a split. */
const isSplitOfDebt = (books: Books, { ticker, broker, books: booked }: PositionDifference): boolean =>
  broker.isNegative && booked.isNegative && debtorsOf(books, ticker).some(isDeployment)

/** Another number of shares of about the same value. */
function isLikeSplit({ ticker, broker, books }: PositionDifference, { before, now }: Prices): boolean {
  const [old, recent] = [before(ticker), now(ticker)]
  if (old === undefined || recent === undefined) return false
  return isLike(broker.absolute().times(recent), books.absolute().times(old))
}

function inProportionTo(
  difference: PositionDifference,
  holders: readonly Holder[],
  { now }: Prices,
  on: Occasion,
): Entry[] {
  const { ticker } = difference
  const price = now(ticker) ?? Decimal.zero
  return inProportion(changeOf(difference), holders).flatMap((part, i) =>
    part.isZero
      ? []
      : [
          ownEntry(
            holders[i]!.party,
            'CORRECTION',
            on,
            transfer('market', holders[i]!.party, ticker, part),
            part.absolute().times(price),
          ),
        ],
  )
}

/**
 * Shares beyond a short of the account's own belong to those who hold the ticker; of one that was not held, to the account. Of
 * shares that deployments owe, fewer may be owed after a split; otherwise they are the account's, and given back for their price.
 */
function surplusEntries(books: Books, difference: PositionDifference, prices: Prices, on: Occasion): Entry[] {
  const { ticker, broker } = difference
  const isOwed = debtorsOf(books, ticker).some(isDeployment)
  const isSplit = isOwed && broker.isNegative && isLikeSplit(difference, prices)
  const holders = isSplit || !(isShort(books, ticker) || isOwed) ? holdersOf(books, ticker) : []
  const owners = holders.length > 0 ? holders : [{ party: 'unallocated' as const, quantity: Decimal.parse('1') }]
  return inProportionTo(difference, owners, prices, on)
}

const lossesOf = (entries: readonly Entry[], ticker: string, price: Usd): UnexplainedLoss[] =>
  entries
    .filter(({ deploymentId }) => deploymentId !== undefined)
    .map(({ legs }) => {
      const quantity = legs.find(({ party }) => party !== 'market')!.amount.absolute()
      return { ticker, quantity, value: quantity.times(price) }
    })
