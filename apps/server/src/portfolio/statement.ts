import { isBuiltIn } from '@tradewright/core/broker-catalogue'
import { Decimal } from '@tradewright/core/decimal'
import { toCents, type Usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import { type EpochDay, epochDayOf, toEpochDay } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/stamps'
import { type CashActivity, isExternalFlow, type TradeActivity } from '@tradewright/engine/trading/account-activity'
import { isFee } from '@tradewright/engine/trading/ledger/fees'
import { type RealisedTerm, sumOf, taxLots } from '@tradewright/engine/trading/lots/tax-lots'
import type { BrokerageAccount } from '../brokerage/account.ts'
import { newYorkDay } from './account-figures.ts'
import type { ClosingPrices } from './closing-prices.ts'
import type { PortfolioDeps } from './own-portfolio.ts'
import type { TakenSnapshot } from './ports.ts'
import { type LotRecords, lotRecordsOf } from './tax-lots.ts'

interface StatementPosition {
  readonly ticker: string
  readonly quantity: Decimal
  readonly basis: Usd
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
  readonly flows: readonly CashActivity[]
}

interface StatementLines {
  readonly deposits: Usd
  readonly withdrawals: Usd
  readonly dividends: Usd
  readonly interest: Usd
  readonly fees: Usd
  readonly other: Usd
}

export async function statementOf(
  deps: PortfolioDeps & { closingPrices: ClosingPrices },
  userId: number,
  accountId: number,
  month: { readonly year: number; readonly month: number },
): Promise<AccountStatement> {
  const records = await lotRecordsOf(deps, userId, accountId)
  if (!records.isComplete) {
    throw new Problem(
      'conflict',
      'statement.collecting',
      'Trades and transactions of the account are still being collected. The statement is ready when they are complete.',
    )
  }
  const span = spanOf(records.taken, month)
  const isIn = (day: EpochDay) => day > (span.from ?? -Infinity) && day <= span.to
  const flows = records.activities
    .filter((each) => each.kind === 'cash')
    .filter(({ day, netAmount }) => isIn(day) && !netAmount.isZero)
  const trades = records.activities.filter((each) => each.kind === 'trade').filter(({ at }) => isIn(newYorkDayOf(at)))
  const lines = linesOf(flows)
  const booked = Object.values(lines).reduce((sum: Usd, line: Usd) => sum.plus(line), Decimal.zero)
  const { disposals } = taxLots(records.events, records.rules)
  const known = disposals.filter(({ soldOn, origin }) => isIn(soldOn) && origin !== 'unknown')
  return {
    account: records.account,
    from: span.from,
    to: span.to,
    takenAt: span.isNow ? records.taken.takenAt : undefined,
    opening: span.opening,
    lines,
    market: span.closing.minus(span.opening).minus(booked),
    closing: span.closing,
    realised: sumOf(known),
    positions: await positionsAt(deps, userId, records, span),
    cash: span.isNow ? toCents(Decimal.parse(records.taken.snapshot.account.cash)) : toCents(cashAt(records, span.to)),
    trades,
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

function linesOf(flows: readonly CashActivity[]): StatementLines {
  const sumWhere = (belongs: (activity: CashActivity) => boolean): Usd =>
    toCents(flows.filter(belongs).reduce((sum, { netAmount }) => sum.plus(netAmount), Decimal.zero))
  const kind = new Map(flows.map((flow) => [flow, kindOf(flow)]))
  const of = (name: keyof StatementLines) => sumWhere((flow) => kind.get(flow) === name)
  return {
    deposits: of('deposits'),
    withdrawals: of('withdrawals'),
    dividends: of('dividends'),
    interest: of('interest'),
    fees: of('fees'),
    other: of('other'),
  }
}

function kindOf(flow: CashActivity): keyof StatementLines | undefined {
  if (isExternalFlow(flow)) return flow.netAmount.isNegative ? 'withdrawals' : 'deposits'
  if (isFee(flow) || flow.type === 'DIVFEE' || flow.type === 'PTC') return 'fees'
  // What shares are worth that came or went by a split or merger is in the prices.
  if (flow.quantity) return undefined
  if (flow.type.startsWith('DIV')) return 'dividends'
  return flow.type.startsWith('INT') ? 'interest' : 'other'
}

const newYorkDayOf = (at: number): EpochDay => epochDayOf(stampAsNewYorkDay(at))

/** The cash of now without what came and went since. */
function cashAt({ taken, activities }: LotRecords, day: EpochDay): Usd {
  let cash = Decimal.parse(taken.snapshot.account.cash)
  for (const activity of activities) {
    if (activity.kind === 'cash') {
      if (activity.day > day && !activity.quantity) cash = cash.minus(activity.netAmount)
    } else if (newYorkDayOf(activity.at) > day) {
      const value = activity.quantity.times(activity.price)
      cash = activity.side === 'buy' ? cash.plus(value) : cash.minus(value)
    }
  }
  return cash
}

async function positionsAt(
  { closingPrices }: { closingPrices: ClosingPrices },
  userId: number,
  { account, taken, events, rules }: LotRecords,
  { to, isNow }: Span,
): Promise<StatementPosition[]> {
  const { lots } = taxLots(
    events.filter(({ day }) => day <= to),
    rules,
  )
  const byTicker = Map.groupBy(lots, ({ ticker }) => ticker)
  const tickers = [...byTicker.keys()].sort()
  const prices = isNow
    ? new Map(taken.snapshot.positions.map(({ ticker, price }) => [ticker, Decimal.parse(price)]))
    : await closingPrices({ userId, tickers, day: to, maySynthetic: isBuiltIn(account.broker) })
  const marketValues = new Map(
    isNow ? taken.snapshot.positions.map(({ ticker, marketValue }) => [ticker, Decimal.parse(marketValue)]) : [],
  )
  return tickers.map((ticker) => {
    const own = byTicker.get(ticker)!
    const quantity = own.reduce((sum, lot) => sum.plus(lot.quantity), Decimal.zero)
    const price = prices.get(ticker)
    const value = marketValues.get(ticker) ?? (price && quantity.times(price))
    const basis = toCents(own.reduce((sum, lot) => sum.plus(lot.basis), Decimal.zero))
    return { ticker, quantity, basis, price, value: value && toCents(value) }
  })
}
