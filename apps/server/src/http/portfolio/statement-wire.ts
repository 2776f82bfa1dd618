import type { Statement } from '@tradewright/contract/tax-lots'
import { brokerOf } from '@tradewright/core/broker-catalogue'
import { Decimal } from '@tradewright/core/decimal'
import { formatDate } from '@tradewright/core/time'
import type { AccountStatement } from '../../portfolio/statement.ts'
import { tradesToWire, transactionsToWire } from '../live-trading/activity-wire.ts'
import { sumsToWire } from './lots-wire.ts'

export function statementToWire(statement: AccountStatement, month: string): Statement {
  const { account, from, to, takenAt, opening, lines, market, closing, positions, cash, trades } = statement
  const values = positions.flatMap(({ value }) => value ?? [])
  const isPriced = values.length === positions.length
  const total = values.reduce((sum, value) => sum.plus(value), Decimal.zero)
  return {
    account_name: account.name,
    broker: brokerOf(account.broker).name,
    paper_trading: account.isPaper,
    month,
    from: from === undefined ? null : formatDate(from),
    to: formatDate(to),
    as_of: takenAt?.toISOString() ?? null,
    opening: opening.toNumber(),
    deposits: lines.deposits.toNumber(),
    withdrawals: lines.withdrawals.toNumber(),
    dividends: lines.dividends.toNumber(),
    interest: lines.interest.toNumber(),
    fees: lines.fees.toNumber(),
    other: lines.other.toNumber(),
    market: market.toNumber(),
    closing: closing.toNumber(),
    profit: closing.minus(opening).minus(lines.deposits).minus(lines.withdrawals).toNumber(),
    realised: sumsToWire(statement.realised),
    positions: positions.map(({ ticker, quantity, basis, price, value }) => ({
      symbol: ticker,
      qty: quantity.toNumber(),
      basis: basis?.toNumber() ?? null,
      price: price?.toNumber() ?? null,
      value: value?.toNumber() ?? null,
    })),
    cash: cash.toNumber(),
    positions_value: isPriced ? total.toNumber() : null,
    difference: isPriced ? closing.minus(cash).minus(total).toNumber() : null,
    trades: tradesToWire(trades).map(({ date, side, symbol, qty, price, amount }) => ({
      date,
      side,
      symbol,
      qty,
      price,
      amount,
    })),
    trades_count: statement.tradesCount,
    synthetic_tickers: [...statement.syntheticTickers],
    flows: transactionsToWire(statement.flows).map(({ date, activity_type, description, net_amount }) => ({
      date,
      type: activity_type,
      description,
      amount: net_amount,
    })),
  }
}
