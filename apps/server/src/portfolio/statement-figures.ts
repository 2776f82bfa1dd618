import { Decimal } from '@tradewright/core/decimal'
import { toCents, type Usd } from '@tradewright/core/money'
import { type EpochDay, epochDayOf } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/rows'
import {
  type AccountActivity,
  type CashActivity,
  isCorporateAction,
  isExternalFlow,
  type TradeActivity,
} from '@tradewright/engine/trading/account-activity'
import { isFee } from '@tradewright/engine/trading/ledger/fees'
import type { Lot } from '@tradewright/engine/trading/lots/lot'
import type { LotEvent } from '@tradewright/engine/trading/lots/lot-event'
import { type LotRules, type RealisedTerm, sumOf, taxLots } from '@tradewright/engine/trading/lots/tax-lots'

/** What a statement counts from the activities of an account; amounts of lines in cents. */
export interface StatementFigures {
  readonly lines: StatementLines
  readonly realised: RealisedTerm
  readonly holdings: readonly StatementHolding[]
  /** The cash at the end of the last day. */
  readonly cash: Usd
  readonly trades: readonly TradeActivity[]
  readonly tradesCount: number
  readonly flows: readonly CashActivity[]
}

interface StatementHolding {
  readonly ticker: string
  readonly quantity: Decimal
  /** Undefined where that of some shares is not known. */
  readonly basis: Usd | undefined
}

export interface StatementLines {
  readonly deposits: Usd
  readonly withdrawals: Usd
  readonly dividends: Usd
  readonly interest: Usd
  readonly fees: Usd
  readonly other: Usd
}

interface Records {
  readonly activities: readonly AccountActivity[]
  readonly events: readonly LotEvent[]
  readonly rules: LotRules
  /** The cash of this moment, from which earlier balances are computed. */
  readonly cash: Usd
}

export function statementFigures(
  records: Records,
  { from, to, shown }: { from: EpochDay | undefined; to: EpochDay; shown: number },
): StatementFigures {
  const isIn = (day: EpochDay) => day > (from ?? -Infinity) && day <= to
  const { activities, events, rules } = records
  const flows = activities
    .filter((each) => each.kind === 'cash')
    .filter(({ day, netAmount }) => isIn(day) && !netAmount.isZero)
  const trades = activities.filter((each) => each.kind === 'trade').filter(({ at }) => isIn(newYorkDayOf(at)))
  // Sales of the month may be washed by purchases after it; the holdings are those of its end.
  const { disposals, lotsThen } = taxLots(events, { ...rules, asOf: to })
  const known = disposals.filter(({ soldOn, origin }) => isIn(soldOn) && origin !== 'unknown')
  return {
    lines: linesOf(flows),
    realised: sumOf(known),
    holdings: holdingsOf(lotsThen),
    cash: toCents(cashAt(records, to)),
    trades: trades.slice(0, shown),
    tradesCount: trades.length,
    flows: flows.slice(0, shown),
  }
}

function holdingsOf(lots: readonly Lot[]): StatementHolding[] {
  return [...Map.groupBy(lots, ({ ticker }) => ticker)]
    .map(([ticker, own]) => ({
      ticker,
      quantity: own.reduce((sum, lot) => sum.plus(lot.quantity), Decimal.zero),
      basis: own.some(({ origin }) => origin === 'unknown')
        ? undefined
        : toCents(own.reduce((sum, lot) => sum.plus(lot.basis), Decimal.zero)),
    }))
    .sort((a, b) => (a.ticker < b.ticker ? -1 : 1))
}

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
function cashAt({ cash: now, activities }: Records, day: EpochDay): Usd {
  let cash = now
  for (const activity of activities) {
    if (activity.kind === 'cash') {
      const isMoney = !activity.quantity || isCorporateAction(activity)
      if (activity.day > day && isMoney) cash = cash.minus(activity.netAmount)
    } else if (newYorkDayOf(activity.at) > day) {
      const value = activity.quantity.times(activity.price)
      cash = activity.side === 'buy' ? cash.plus(value) : cash.minus(value)
    }
  }
  return cash
}
