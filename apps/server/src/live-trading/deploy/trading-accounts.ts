import { brokerIds } from '@tradewright/core/broker-catalogue'
import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import type { Broker, BrokerAccount, Position } from '@tradewright/engine/trading/broker'
import { type Books, type PriceOf, sliceOf } from '@tradewright/engine/trading/ledger/books'
import { deploymentIdOf, partyOf } from '@tradewright/engine/trading/ledger/entry'
import { accountMissing, type BrokerageAccount } from '../../brokerage/account.ts'
import { mapBounded } from '../../in-turns.ts'
import { percentAllocated, percentKept } from './allocation.ts'
import type { Deployment } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'

export interface TradingAccount {
  readonly account: BrokerageAccount
  readonly percentAllocated: Decimal
  /** The percentage that stopped deployments keep. */
  readonly percentKept: Decimal
  readonly committedCapital: Usd
  /** Undefined when the broker could not be asked; `error` says why. */
  readonly figures: AccountFigures | undefined
  readonly error: string | null
}

interface AccountFigures {
  readonly cash: Usd
  readonly equity: Usd
  readonly buyingPower: Usd
  /** The unallocated rest: its cash, and its cash with the positions. */
  readonly availableCash: Usd
  readonly availableCapital: Usd
  readonly isShortingAllowed: boolean
  /** In percent a year; undefined where the broker has a rate for each day and ticker. */
  readonly shortBorrowPct: number | undefined
}

/** Accounts whose brokers are asked at the same moment. */
const ASKED_AT_ONCE = 4

type Needs = Pick<LiveDeps, 'accounts' | 'brokerFor' | 'database' | 'log'>

export async function tradingAccounts(deps: Needs, userId: number): Promise<TradingAccount[]> {
  // An account that a newer version connected cannot be traded with by this one.
  const accounts = (await deps.accounts.list(userId)).filter(({ broker }) => brokerIds.includes(broker))
  return mapBounded(accounts, ASKED_AT_ONCE, (account) => tradingAccount(deps, account))
}

export async function findTradingAccount(deps: Needs, userId: number, id: number): Promise<TradingAccount | undefined> {
  const account = await deps.accounts.find(userId, id)
  return account && tradingAccount(deps, account)
}

async function tradingAccount(deps: Needs, account: BrokerageAccount): Promise<TradingAccount> {
  const { database } = deps
  const moving = await tickersOnTheMove(deps, account.id)
  const [books, deployments, state] = await Promise.all([
    database.books.books(account.id),
    database.deployments.onAccount(account.id),
    database.books.state(account.id),
  ])
  const committedCapital = deployments.reduce((sum, { totals }) => sum.plus(totals.committed), Decimal.zero)
  const percentagesOf = (equity: Usd, priceOf: PriceOf) => ({
    percentAllocated: percentAllocated(deployments, books, equity, priceOf),
    percentKept: percentKept(deployments, books, equity, priceOf),
  })
  try {
    const broker = await deps.brokerFor(account.userId, account.id)
    const [said, positions] = await Promise.all([broker.account(), broker.positions()])
    const prices = new Map(positions.map(({ ticker, price }) => [ticker, price]))
    return {
      account,
      ...percentagesOf(said.equity, (ticker) => prices.get(ticker)),
      committedCapital,
      figures: figuresOf(said, positions, { books, moving }),
      error: null,
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    deps.log.warn({ err: error, accountId: account.id }, 'an account could not be read')
    const known = state?.equity ?? Decimal.zero
    const percentages = percentagesOf(known, (ticker) => state?.prices.get(ticker))
    return { account, ...percentages, committedCapital, figures: undefined, error: error.message }
  }
}

/** What the books say, and which tickers deployments have orders for that are not wholly in the books yet. */
interface Standing {
  readonly books: Books
  readonly moving: ReadonlySet<string>
}

/** Asked before books and broker: an order that ends meanwhile is then in the books at the latest. */
const tickersOnTheMove = async ({ database }: Needs, accountId: number): Promise<ReadonlySet<string>> =>
  new Set((await database.orders.unsettled(accountId)).map(({ ticker }) => ticker))

function figuresOf(
  { cash, equity, buyingPower, isShortingAllowed, shortBorrowPct }: BrokerAccount,
  positions: readonly Position[],
  standing: Standing,
): AccountFigures {
  const availableCash = freeCash(cash, standing)
  const free = positions.reduce(
    (sum, position) => sum.plus(freeShares(position, standing).times(position.price)),
    Decimal.zero,
  )
  const availableCapital = availableCash.plus(free)
  return { cash, equity, buyingPower, availableCash, availableCapital, isShortingAllowed, shortBorrowPct }
}

/**
 * What no deployment owns. The broker has what an order bought before the books know of it: until then it would look
 * free, so the books alone decide while an order is on its way.
 */
function freeShares({ ticker, quantity }: Position, { books, moving }: Standing): Decimal {
  if (moving.has(ticker)) return between(sliceOf(books, 'unallocated').positions.get(ticker) ?? Decimal.zero, quantity)
  return notBelowZero(quantity.minus(allocatedOf(books, ticker)))
}

function freeCash(cash: Usd, { books, moving }: Standing): Usd {
  if (moving.size > 0) return between(sliceOf(books, 'unallocated').cash, cash)
  const allocated = [...books].filter(([party]) => deploymentIdOf(party) !== undefined)
  return notBelowZero(cash.minus(allocated.reduce((sum, [, slice]) => sum.plus(slice.cash), Decimal.zero)))
}

const between = (amount: Decimal, most: Decimal): Decimal => notBelowZero(most.isBelow(amount) ? most : amount)

const allocatedOf = (books: Books, ticker: string): Decimal =>
  [...books]
    .filter(([party]) => deploymentIdOf(party) !== undefined)
    .reduce((sum, [, { positions }]) => sum.plus(positions.get(ticker) ?? Decimal.zero), Decimal.zero)

const notBelowZero = (amount: Decimal): Decimal => (amount.isNegative ? Decimal.zero : amount)

export interface AccountPosition {
  readonly position: Position
  readonly allocatedTo: readonly { readonly deployment: Deployment; readonly quantity: Decimal }[]
  readonly allocated: Decimal
  readonly available: Decimal
}

export async function accountPositions(deps: Needs, userId: number, accountId: number): Promise<AccountPosition[]> {
  if (!(await deps.accounts.find(userId, accountId))) throw accountMissing()
  const broker: Broker = await deps.brokerFor(userId, accountId)
  const moving = await tickersOnTheMove(deps, accountId)
  const [positions, books, deployments] = await Promise.all([
    broker.positions(),
    deps.database.books.books(accountId),
    deps.database.deployments.onAccount(accountId),
  ])
  return positions.map((position) => {
    const allocated = allocatedOf(books, position.ticker)
    return {
      position,
      allocated,
      available: freeShares(position, { books, moving }),
      allocatedTo: deployments.flatMap((deployment) => {
        const quantity = books.get(partyOf(deployment.id))?.positions.get(position.ticker)
        return quantity ? [{ deployment, quantity }] : []
      }),
    }
  })
}
