import { dateOf, dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { expectColumn, expectNear } from '../../../../reference/expect-near.ts'
import { referenceMarket, referencePrices, referenceValues } from '../../../../reference/read.ts'
import { simpleMovingAverage } from '../features/formulas.ts'
import { nyse } from '../market/trading-calendar.ts'
import { valueOf } from '../performance/figure.ts'
import { holdingPeriods, roundTrips, winRate } from '../performance/trading-activity.ts'
import { freeOfCosts } from '../trading/costs.ts'
import { noSlippage, perShare } from '../trading/test-support/costs.ts'
import { periodEnds } from '../trading/rebalance-calendar.ts'
import { simulate } from '../trading/simulation.ts'
import { planBacktest } from './plan.ts'
import type { BacktestResult } from './result.ts'
import { runBacktest } from './run-backtest.ts'
import { allocationRequest } from './test-support/requests.ts'

/** Accounts simulated with pandas: reference/portfolios.py. */
interface PortfolioReference extends Record<string, unknown> {
  settings: {
    percents: Record<string, number>
    rebalance?: 'monthly' | 'quarterly' | 'yearly' | null
    band?: number
    cost_bps?: number
    commission?: number
    flow?: number
    flow_frequency?: 'monthly' | 'quarterly' | 'yearly'
    flow_kind?: 'dollars' | 'percent' | 'inflation'
    short_borrow?: number
    inflation?: boolean
    reinvest?: boolean
  }
  nominal_values: number[]
  month_end: Record<string, number>
  contributions: Record<string, Record<'to_return' | 'to_volatility', number>>
  annual: { nominal: number[]; real: number[] | null }
}

interface CrossReference {
  fast: number
  slow: number
  fee_per_share: number
  values: number[]
  end_value: number
  trades: number
  profits: number[]
  win_rate: number
}

interface RotationReference {
  months: number
  /** The fund that each month end chooses. */
  chosen: string[]
  values: number[]
  end_value: number
  holding_periods: number
  holding_win_rate: number
}

interface MarginReference {
  weight: number
  cost_bps: number
  values: number[]
  end_value: number
  sale_days: string[]
  sold: number[]
}

interface ImpactReference {
  percents: Record<string, number>
  factor: number
  start: number
  cost_bps: number
  values: number[]
  end_value: number
  fees: number
}

const {
  moving_average_cross: cross,
  momentum_rotation: rotation,
  on_margin: margin,
  with_impact: impact,
  ...portfolios
} = referenceValues<
  Record<string, PortfolioReference> & {
    moving_average_cross: CrossReference
    momentum_rotation: RotationReference
    on_margin: MarginReference
    with_impact: ImpactReference
  }
>('portfolios')

/** Every 40th account value is committed as a reference. */
const STEP = 40
const every = (column: Float64Array) => column.filter((_, row) => row % STEP === 0)

function run({ settings }: PortfolioReference): Promise<BacktestResult> {
  const request = allocationRequest(settings.percents, {
    from: dateOf('2015-01-02'),
    to: dateOf('2019-12-31'),
    rebalanceFrequency: settings.rebalance === null ? 'none' : (settings.rebalance ?? 'yearly'),
    rebalanceBandPct: settings.band,
    tradingCostBps: settings.cost_bps ?? 1,
    commission: settings.commission ?? 0,
    cashflow: settings.flow ?? 0,
    cashflowFrequency: settings.flow_frequency ?? 'yearly',
    cashflowKind: settings.flow_kind ?? 'dollars',
    shortBorrowPct: settings.short_borrow,
    adjustInflation: settings.inflation ?? false,
    reinvestDividends: settings.reinvest ?? true,
  })
  const data = referenceMarket(['SPY', 'TLT', 'GLD', 'TB3MS', 'FEDFUNDS', 'CPIAUCNS'])
  return runBacktest(planBacktest(request), data)
}

/** Under the names of the reference. */
function shown({ curve, metrics, moneyWeightedReturn }: BacktestResult): Record<string, number> {
  return {
    end_value: curve.values.at(-1)!,
    nominal_end_value: curve.nominalValues.at(-1)!,
    trades: metrics.tradeCount,
    fees: metrics.fees,
    traded_value: metrics.tradedValue,
    turnover: valueOf(metrics.turnover),
    exposure: metrics.exposure,
    dividends: metrics.dividends,
    interest: metrics.interest,
    money_weighted: valueOf(moneyWeightedReturn),
    total_return: metrics.totalReturn,
    cagr: valueOf(metrics.cagr),
    volatility: valueOf(metrics.volatility),
    sharpe: valueOf(metrics.sharpe),
    sortino: valueOf(metrics.sortino),
    max_drawdown: metrics.maxDrawdown.depth,
    calmar: valueOf(metrics.calmar),
    ulcer_index: valueOf(metrics.ulcerIndex),
    pain_index: valueOf(metrics.painIndex),
  }
}

describe('a portfolio ends where pandas ends it, with the same figures', () => {
  it.each(Object.entries(portfolios))('%s', async (_, theirs) => {
    const result = await run(theirs)
    expectColumn(every(result.curve.nominalValues), theirs.nominal_values, 'values')
    for (const [name, ours] of Object.entries(shown(result))) expectNear(ours, theirs[name] as number, name)
    const { monthEnd } = result.metrics
    expectNear(monthEnd.maxDrawdown, theirs.month_end['max_drawdown']!, 'month-end drawdown')
    for (const name of ['volatility', 'sharpe', 'sortino'] as const) {
      expectNear(valueOf(monthEnd[name]), theirs.month_end[name]!, `month-end ${name}`)
    }
    const { contributions, annual } = result.analysis
    const { assets } = contributions
    expect(assets.map(({ ticker }) => ticker).toSorted()).toEqual(Object.keys(theirs.contributions).toSorted())
    for (const { ticker, toReturn, toVolatility } of assets) {
      expectNear(toReturn, theirs.contributions[ticker]!.to_return, `${ticker} to return`)
      expectNear(toVolatility, theirs.contributions[ticker]!.to_volatility, `${ticker} to volatility`)
    }
    const yearly = (years: readonly { return: number }[] | undefined) => years?.map((year) => year.return) ?? []
    const { nominal, real } = annual
    expectColumn(yearly(nominal), theirs.annual.nominal, 'nominal years')
    expectColumn(yearly(real), theirs.annual.real ?? [], 'real years')
  })
})

it('a cross of moving averages, long and short from the next open, ends where pandas ends it', () => {
  const { days, columns } = referencePrices('SPY')
  const close = columns['close']!
  const [fast, slow] = [cross.fast, cross.slow].map((window) => simpleMovingAverage.compute([close], { window }))
  const side = close.map((_, bar) => Math.sign(fast![bar]! - slow![bar]!))
  const { values, trades } = simulate(
    {
      tickers: ['SPY'],
      days,
      timestamps: Float64Array.from(days, dayStamp),
      open: [columns['open']!],
      close: [close],
      dividends: [columns['dividend']!.map((amount) => (amount > 0 ? amount : 0))],
    },
    {
      startValue: 10_000,
      decide: (bar) => (bar > cross.slow && side[bar]! * side[bar - 1]! < 0 ? Float64Array.of(side[bar]!) : undefined),
      fillTiming: 'next_open',
      costs: { fee: perShare(cross.fee_per_share), slippage: noSlippage },
      wholeShares: true,
    },
  )
  const trips = roundTrips(trades)
  expectColumn(every(values), cross.values, 'values')
  expectNear(values.at(-1)!, cross.end_value, 'end value')
  expect(trades).toHaveLength(cross.trades)
  expectColumn(
    trips.map(({ profit }) => profit),
    cross.profits,
    'profits',
  )
  expectNear(valueOf(winRate(trips)), cross.win_rate, 'win rate')
  // Every cross turns the whole position: a sale is a holding period.
  expectNear(valueOf(winRate(holdingPeriods(trades))), cross.win_rate, 'win rate of holding periods')
})

it('a rotation into the fund with the most momentum ends where pandas ends it', () => {
  const tickers = ['SPY', 'TLT', 'GLD']
  const { days } = referencePrices('SPY')
  const close = tickers.map((ticker) => referencePrices(ticker).columns['close']!)
  const ends = [...periodEnds(days, 'monthly', nyse.nextSession(days.at(-1)!)).entries()].flatMap(([bar, isEnd]) =>
    isEnd === 1 ? [bar] : [],
  )
  const chosen: string[] = []
  const decide = (bar: number) => {
    const before = ends[ends.indexOf(bar) - rotation.months]
    if (!ends.includes(bar) || before === undefined) return undefined
    const growth = close.map((column) => column[bar]! / column[before]!)
    const best = growth.indexOf(Math.max(...growth))
    chosen.push(tickers[best]!)
    return Float64Array.from(tickers, (_, i) => (i === best ? 1 : 0))
  }
  const { values, trades } = simulate(
    { tickers, days, timestamps: Float64Array.from(days, dayStamp), open: close, close, dividends: [] },
    { startValue: 10_000, decide, fillTiming: 'same_close', costs: freeOfCosts },
  )
  expect(chosen).toEqual(rotation.chosen)
  expectColumn(every(values), rotation.values, 'values')
  expectNear(values.at(-1)!, rotation.end_value, 'end value')
  expect(holdingPeriods(trades)).toHaveLength(rotation.holding_periods)
  expectNear(valueOf(winRate(holdingPeriods(trades))), rotation.holding_win_rate, 'win rate of holding periods')
})

const period = { from: dateOf('2015-01-02'), to: dateOf('2019-12-31') }

it('an account on margin is sold down on the days, and by the amounts, that pandas finds', async () => {
  const request = allocationRequest(
    { SPY: 100 * margin.weight },
    { ...period, rebalanceFrequency: 'none', tradingCostBps: margin.cost_bps },
  )
  const data = referenceMarket(['SPY', 'TB3MS', 'FEDFUNDS'])
  const { curve, trades } = await runBacktest(planBacktest(request), data)
  const sales = trades.slice(1)
  expect(sales.length).toBeGreaterThan(0)
  expect(sales).toHaveLength(margin.sale_days.length)
  for (const [i, { quantity, price }] of sales.entries()) expectNear(-quantity * price, margin.sold[i]!, `sale ${i}`)
  expectColumn(every(curve.values), margin.values, 'values')
  expectNear(curve.values.at(-1)!, margin.end_value, 'end value')
})

it('costs by the square-root law are those that pandas and scipy find', async () => {
  const request = allocationRequest(impact.percents, {
    ...period,
    startValue: impact.start,
    rebalanceFrequency: 'monthly',
    tradingCostBps: impact.cost_bps,
    impactFactor: impact.factor,
  })
  const data = referenceMarket(['SPY', 'TLT', 'TB3MS'])
  const withVolume = new Map(
    [...data.series].map(([ticker, table]) => {
      const first = table.timestamps.findIndex((stamp) => stamp >= dayStamp(period.from))
      const volume = table.timestamps.map((_, row) => 1_000_000 + 1_000 * ((row - first + 7_000) % 7))
      return [ticker, table.columns['close'] ? { ...table, columns: { ...table.columns, volume } } : table]
    }),
  )
  const { curve, metrics } = await runBacktest(planBacktest(request), { ...data, series: withVolume })
  expectColumn(every(curve.values), impact.values, 'values')
  expectNear(metrics.fees, impact.fees, 'fees')
})
