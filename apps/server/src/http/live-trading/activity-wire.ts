import type { PortfolioTrade, PortfolioTransaction } from '@tradewright/contract/portfolio'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/rows'
import { type AccountActivity, isExternalFlow } from '@tradewright/engine/trading/account-activity'

export const tradesToWire = (activities: readonly AccountActivity[]): PortfolioTrade[] =>
  activities.flatMap((activity) => {
    if (activity.kind !== 'trade') return []
    const { id, at, ticker, side, quantity, price } = activity
    return [
      {
        id,
        date: formatDate(epochDayOf(stampAsNewYorkDay(at))),
        executed_at: new Date(at).toISOString(),
        symbol: ticker,
        side,
        qty: quantity.toNumber(),
        price: price.toNumber(),
        amount: quantity.times(price).toNumber(),
      },
    ]
  })

export const transactionsToWire = (activities: readonly AccountActivity[]): PortfolioTransaction[] =>
  activities.flatMap((activity) => {
    if (activity.kind !== 'cash') return []
    const { id, day, netAmount, description, type, ticker } = activity
    return [
      {
        id,
        date: formatDate(day),
        net_amount: netAmount.toNumber(),
        description: description || describe(type, ticker),
        activity_type: type,
        symbol: ticker ?? null,
        is_external: isExternalFlow(activity),
      },
    ]
  })

/** For activities that came without words. */
const WORDS: Readonly<Record<string, string>> = {
  CSD: 'Deposit',
  CSW: 'Withdrawal',
  JNLC: 'Cash transfer',
  JNLS: 'Transfer of securities',
  ACATC: 'Cash transfer from another broker',
  ACATS: 'Securities from another broker',
  DIV: 'Dividend',
  INT: 'Interest',
  FEE: 'Fee',
  CFEE: 'Crypto fee',
}

const describe = (type: string, ticker: string | undefined): string =>
  `${WORDS[type] ?? type}${ticker ? ` ${ticker}` : ''}`
