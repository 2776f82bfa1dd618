import { isBuiltIn } from '@tradewright/core/broker-catalogue'
import { Decimal } from '@tradewright/core/decimal'
import { toCents, type Usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import { type EpochDay, toEpochDay } from '@tradewright/core/time'
import type { CashActivity, TradeActivity } from '@tradewright/engine/trading/account-activity'
import type { RealisedTerm } from '@tradewright/engine/trading/lots/tax-lots'
import type { BrokerageAccount } from '../brokerage/account.ts'
import { newYorkDay } from './account-figures.ts'
import type { ClosingPrices } from './benchmarks.ts'
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
  /** What it held or traded that is priced by the synthetic sample market. */
  readonly syntheticTickers: readonly string[]
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
  const { positions, syntheticTickers } = await positionsAt(deps, userId, found, span, figures)
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
    positions,
    syntheticTickers,
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

interface PricedPositions {
  readonly positions: readonly StatementPosition[]
  readonly syntheticTickers: readonly string[]
}

/** The broker's own prices of the moment, else the closes of the day. Only the built-in account knows synthetic ones. */
async function positionsAt(
  { closingPrices }: { closingPrices: ClosingPrices },
  userId: number,
  { account, taken }: LotAccount,
  { to, isNow }: Span,
  { holdings, trades }: StatementFigures,
): Promise<PricedPositions> {
  const maySynthetic = isBuiltIn(account.broker)
  const now = isNow ? taken.snapshot.positions : []
  const held = isNow ? [] : holdings.map(({ ticker }) => ticker)
  const traded = maySynthetic ? trades.map(({ ticker }) => ticker) : []
  const tickers = [...new Set([...held, ...traded])].filter((ticker) => !now.some((one) => one.ticker === ticker))
  const prices = new Map([
    ...(await closingPrices({ userId, tickers, day: to, maySynthetic })),
    ...now.map(({ ticker, price, isSynthetic }) => [ticker, { price: Decimal.parse(price), isSynthetic }] as const),
  ])
  const marketValues = new Map(now.map(({ ticker, marketValue }) => [ticker, Decimal.parse(marketValue)]))
  const positions = holdings.map(({ ticker, quantity, basis }) => {
    const price = isNow && !marketValues.has(ticker) ? undefined : prices.get(ticker)?.price
    const value = marketValues.get(ticker) ?? (price && quantity.times(price))
    return { ticker, quantity, basis, price, value: value && toCents(value) }
  })
  const syntheticTickers = [...prices].filter(([, { isSynthetic }]) => isSynthetic).map(([ticker]) => ticker)
  return { positions, syntheticTickers: syntheticTickers.toSorted() }
}
