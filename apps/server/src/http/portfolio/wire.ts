import { CHART_POINTS, type GrowthPoint, methodText, type Portfolio } from '@tradewright/contract/portfolio'
import { formatDate } from '@tradewright/core/time'
import { downsampledPositions } from '@tradewright/core/downsample'
import { cagr } from '@tradewright/engine/performance/returns'
import { type Figure, isAvailable, mapFigure } from '@tradewright/engine/performance/figure'
import type { PortfolioView } from '../../portfolio/own-portfolio.ts'
import type { StoredPosition } from '../../portfolio/ports.ts'
import { tradesToWire, transactionsToWire } from '../live-trading/activity-wire.ts'
import type { CustomHostOf } from '../brokerage/wire.ts'
import { figureToWire } from '../answer/figure-wire.ts'

export function portfolioToWire(view: PortfolioView, customHostOf: CustomHostOf): Portfolio {
  const { account, taken, figures, benchmarks, request } = view
  const { snapshot, takenAt } = taken
  const { performance } = figures
  const rates = ratesOf(view)
  return {
    account: {
      id: account.id,
      account_name: account.name,
      paper_trading: account.isPaper,
      broker: account.broker,
      custom_host: customHostOf(account),
    },
    equity: Number(snapshot.account.equity),
    cash: Number(snapshot.account.cash),
    buying_power: Number(snapshot.account.buyingPower),
    positions: snapshot.positions.map(positionToWire),
    ...curvesOf(view),
    trades: tradesToWire(view.trades),
    trades_count: view.tradesCount,
    transactions: transactionsToWire(view.transactions),
    transactions_count: view.transactionsCount,
    activities_complete: view.areActivitiesComplete,
    ...wireOf(rates),
    is_annualised: performance.isAnnualised,
    other_reading: performance.otherReading
      ? {
          days: performance.otherReading.days,
          total_return: figureToWire(performance.otherReading.totalReturn),
          cagr_excluding_contributions: figureToWire(performance.otherReading.rate),
        }
      : null,
    benchmarks_synthetic: benchmarks.isSynthetic,
    benchmarks_missing: benchmarks.missing.map(({ ticker, reason }) => ({ symbol: ticker, reason })),
    synthetic: snapshot.positions.some(({ isSynthetic }) => isSynthetic),
    net_contributions: performance.netContributions,
    cagr_calculation_method: performance.method,
    cagr_calculation_text: methodText(performance.method),
    sub_periods_count: performance.subPeriods,
    cash_flows_count: figures.cashFlows,
    filter_type: request.filter,
    start_date: dateOrNull(figures.values[0]?.day),
    end_date: dateOrNull(figures.values.at(-1)?.day),
    notes: notesOf(rates),
    as_of: takenAt.toISOString(),
    age_seconds: Math.round(view.ageMillis / 1000),
    is_refreshing: view.isRefreshing,
    warning: view.warning ?? null,
  }
}

const dateOrNull = (day: number | undefined): string | null => (day === undefined ? null : formatDate(day))

/** Every figure that may be missing, under its name on the wire. */
function ratesOf({ figures, benchmarks }: PortfolioView) {
  const { performance, values } = figures
  const days = (values.at(-1)?.day ?? 0) - (values[0]?.day ?? 0)
  // A benchmark is told like the account beside it.
  const rate = (total: Figure) =>
    performance.isAnnualised ? mapFigure(total, (value) => cagr(1 + value, days)) : total
  return {
    overall_return_percent: figures.overallReturnPercent,
    daily_pnl: figures.daily.amount,
    daily_pnl_percent: figures.daily.percent,
    cagr_excluding_contributions: performance.rate,
    total_return: performance.totalReturn,
    money_weighted_return: performance.moneyWeighted,
    spy_cagr: rate(benchmarks.spy.totalReturn),
    tqqq_cagr: rate(benchmarks.tqqq.totalReturn),
    spy_total_return: benchmarks.spy.totalReturn,
    tqqq_total_return: benchmarks.tqqq.totalReturn,
  }
}

type Rates = ReturnType<typeof ratesOf>

const wireOf = (rates: Rates) =>
  Object.fromEntries(Object.entries(rates).map(([name, figure]) => [name, figureToWire(figure)])) as Record<
    keyof Rates,
    number | null
  >

const notesOf = (rates: Rates): Record<string, string> =>
  Object.fromEntries(
    Object.entries(rates).flatMap(([name, figure]) =>
      isAvailable(figure) ? [] : [[name, `Not available: ${figure.notAvailable}.`]],
    ),
  )

function curvesOf({ figures, benchmarks }: PortfolioView) {
  const { values, performance } = figures
  const dates = values.map(({ day }) => formatDate(day))
  const shown = downsampledPositions(values.length, CHART_POINTS)
  const point = (i: number): GrowthPoint => ({
    date: dates[i]!,
    portfolio: finite(performance.growth[i]),
    spy: finite(benchmarks.spy.growth[i]),
    tqqq: finite(benchmarks.tqqq.growth[i]),
  })
  return {
    history: shown.map((i) => ({ date: dates[i]!, equity: values[i]!.value })),
    full_history: values.map(({ value, flow }, i) => ({ date: dates[i]!, equity: value, net_amount: flow })),
    growth: shown.map(point),
  }
}

const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null

function positionToWire({ ticker, quantity, averageEntryPrice, price, marketValue, oldPriceDay }: StoredPosition) {
  const cost = Number(quantity) * Number(averageEntryPrice)
  const gain = Number(marketValue) - cost
  return {
    symbol: ticker,
    qty: Number(quantity),
    market_value: Number(marketValue),
    unrealized_pl: gain,
    unrealized_plpc: cost === 0 ? null : gain / Math.abs(cost),
    avg_entry_price: Number(averageEntryPrice),
    current_price: Number(price),
    price_date: dateOrNull(oldPriceDay),
  }
}
