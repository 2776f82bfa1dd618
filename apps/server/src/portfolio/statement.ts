import { isBuiltIn } from '@tradewright/core/broker-catalogue'
import { Decimal } from '@tradewright/core/decimal'
import { toCents, type Usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import { type EpochDay, toEpochDay } from '@tradewright/core/time'
import type { CashActivity, TradeActivity } from '@tradewright/engine/trading/account-activity'
import type { RealisedTerm } from '@tradewright/engine/trading/lots/tax-lots'
import type { BrokerageAccount } from '../brokerage/account.ts'
import { newYorkDay } from './account-figures.ts'
import type { ClosingPrices } from './closing-prices.ts'
import type { TakenSnapshot } from './ports.ts'
import type { StatementFigures, StatementLines } from './statement-figures.ts'
import { type LotAccount, lotAccountOf, type LotDeps, lotRecordsOf } from './tax-lots.ts'

interface StatementPosition {
  readonly ticker: string
  readonly quantity: Decimal
  readonly basis: Usd | undefined
  readonly price: Usd | undefined
  readonly value: Usd | undefined
}

/** All amounts in cents; `opening` and the lines after it add up to `closing`. */
export interface AccountStatement {
  readonly account: BrokerageAccount
  readonly from: EpochDay | undefined
  readonly to: EpochDay
  readonly takenAt: Date | undefined
  readonly opening: Usd
  readonly lines: StatementLines
  readonly market: Usd
  readonly closing: Usd
  readonly realised: RealisedTerm
  readonly positions: readonly StatementPosition[]
  readonly cash: Usd
  readonly trades: readonly TradeActivity[]
  readonly tradesCount: number
  readonly flows: readonly CashActivity[]
}

export async function statementOf(
  deps: LotDeps & { closingPrices: ClosingPrices },
  userId: number,
  accountId: number,
  { year, month, shown }: { readonly year: number; readonly month: number; readonly shown: number },
): Promise<AccountStatement> {
  const found = await lotAccountOf(deps, userId, accountId)
  if (!found.isComplete) {
    throw new Problem(
      'conflict',
      'statement.collecting',
      'Trades and transactions of the account are still being collected. The statement is ready when they are complete.',
    )
  }
  const { account, taken } = found
  const span = spanOf(taken, { year, month })
  const question = { from: span.from, to: span.to, shown }
  const figures = await deps.computeLots(userId, lotRecordsOf(deps, found), 'statement', question)
  const { lines, realised, cash, trades, tradesCount, flows } = figures
  const booked = Object.values(lines).reduce((sum: Usd, line: Usd) => sum.plus(line), Decimal.zero)
  return {
    account,
    from: span.from,
    to: span.to,
    takenAt: span.isNow ? taken.takenAt : undefined,
    opening: span.opening,
    lines,
    market: span.closing.minus(span.opening).minus(booked),
    closing: span.closing,
    realised,
    positions: await positionsAt(deps, userId, found, span, figures),
    cash: span.isNow ? toCents(Decimal.parse(taken.snapshot.account.cash)) : cash,
    trades,
    tradesCount,
    flows,
  }
}

interface Span {
  /** The day of the opening value; undefined where the account begins in the month. */
  readonly from: EpochDay | undefined
  readonly to: EpochDay
  readonly opening: Usd
  readonly closing: Usd
  /** It ends with the figures of the moment. */
  readonly isNow: boolean
}

/** From the last value before the month to the last one in it, so that each statement begins where the one before ended. */
function spanOf({ snapshot, takenAt }: TakenSnapshot, { year, month }: { year: number; month: number }): Span {
  const first = toEpochDay(year, month, 1)
  const next = month === 12 ? toEpochDay(year + 1, 1, 1) : toEpochDay(year, month + 1, 1)
  const today = newYorkDay(takenAt)
  const values = snapshot.history.days
    .map((day, i) => ({ day, equity: snapshot.history.equity[i] ?? undefined }))
    .filter(({ day, equity }) => equity !== undefined && day < today)
  const before = values.findLast(({ day }) => day < first)
  const isNow = today >= first && today < next
  const last = isNow
    ? { day: today, equity: Number(snapshot.account.equity) }
    : values.findLast(({ day }) => day >= first && day < next)
  if (!last) {
    throw new Problem('missing', 'statement.no-values', 'There are no account values in this month.')
  }
  return {
    from: before?.day,
    to: last.day,
    opening: inCents(before?.equity ?? 0),
    closing: inCents(last.equity ?? 0),
    isNow,
  }
}

const inCents = (value: number): Usd => toCents(Decimal.fromNumber(value))

async function positionsAt(
  { closingPrices }: { closingPrices: ClosingPrices },
  userId: number,
  { account, taken }: LotAccount,
  { to, isNow }: Span,
  { holdings }: StatementFigures,
): Promise<StatementPosition[]> {
  const tickers = holdings.map(({ ticker }) => ticker)
  const prices = isNow
    ? new Map(taken.snapshot.positions.map(({ ticker, price }) => [ticker, Decimal.parse(price)]))
    : await closingPrices({ userId, tickers, day: to, maySynthetic: isBuiltIn(account.broker) })
  const marketValues = new Map(
    isNow ? taken.snapshot.positions.map(({ ticker, marketValue }) => [ticker, Decimal.parse(marketValue)]) : [],
  )
  return holdings.map(({ ticker, quantity, basis }) => {
    const price = prices.get(ticker)
    const value = marketValues.get(ticker) ?? (price && quantity.times(price))
    return { ticker, quantity, basis, price, value: value && toCents(value) }
  })
}
