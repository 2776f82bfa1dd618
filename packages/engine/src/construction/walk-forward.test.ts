import { constructionMethodIds } from '@tradewright/core/construction-catalogue'
import { dateOf, dayStamp } from '@tradewright/core/time'
import { beforeAll, describe, expect, it } from 'vitest'
import { referenceMarket } from '../../../../reference/read.ts'
import type { MarketData } from '../backtest/market-data.ts'
import type { SeriesTable } from '../market/series.ts'
import { planBacktest } from '../backtest/plan.ts'
import { runBacktest } from '../backtest/run-backtest.ts'
import { allocationRequest } from '../backtest/test-support/requests.ts'
import { exchanged, meets, type ConvexSolver } from './limits.ts'
import { reportConstruction } from './report.ts'
import { type ConstructionRequest, planConstruction } from './request.ts'
import { convexSolver } from './test-support/solver.ts'
import { frontierOf, prepareConstruction, walkMethod } from './walk-forward.ts'

const MIX = { VNQ: 10, SPY: 40, TLT: 30, GLD: 20 }
const market = referenceMarket([...Object.keys(MIX), 'TB3MS'])

let solver: ConvexSolver
beforeAll(async () => (solver = await convexSolver()))

const request = (more: Partial<ConstructionRequest> = {}): ConstructionRequest => ({
  backtest: allocationRequest(MIX, { fillTiming: 'same_close', rebalanceFrequency: 'quarterly' }),
  methods: [{ id: 'min_variance', parameters: {} }],
  covariance: 'ledoit_wolf',
  windowMonths: 12,
  rebalance: 'quarterly',
  minPct: 0,
  maxPct: 100,
  bounds: [],
  groups: [],
  turnoverPct: undefined,
  views: [],
  ...more,
})

function run(asked: ConstructionRequest, data: MarketData = market) {
  const material = prepareConstruction(asked, data, solver)
  const walks = planConstruction(asked).methods.map((method) => ({
    id: method.id,
    walk: walkMethod(material, method, solver),
  }))
  return { material, walks, report: reportConstruction(material, walks, frontierOf(material, solver)) }
}

/** The market as it was known on a day. */
const until = (day: string): MarketData => ({
  ...market,
  series: new Map(
    [...market.series].map(([ticker, table]): [string, SeriesTable] => {
      const rows = table.timestamps.filter((stamp) => stamp <= dayStamp(dateOf(day))).length
      const cut = (column: Float64Array) => column.subarray(0, rows)
      return [
        ticker,
        {
          ...table,
          timestamps: cut(table.timestamps),
          columns: Object.fromEntries(Object.entries(table.columns).map(([name, column]) => [name, cut(column)])),
          ...(table.knownAt && { knownAt: cut(table.knownAt) }),
        },
      ]
    }),
  ),
})

it('tells whose prices a ticker had before its own', () => {
  const late = market.series.get('GLD')!
  const from = late.timestamps.findIndex((stamp) => stamp >= dayStamp(dateOf('2016-06-01')))
  const cut = (column: Float64Array) => column.subarray(from)
  const columns = Object.fromEntries(Object.entries(late.columns).map(([name, column]) => [name, cut(column)]))
  const series = new Map([...market.series, ['GLD', { ...late, timestamps: cut(late.timestamps), columns }]])
  const mix = { SPY: 60, 'GLD?FB=TLT': 40 }
  const backtest = allocationRequest(mix, { fillTiming: 'same_close' })
  const { report } = run(request({ backtest }), { ...market, series })
  expect(report.spliced).toMatchObject([{ ticker: 'GLD?FB=TLT', standIns: [{ ticker: 'TLT' }] }])
  expect(run(request()).report.spliced).toEqual([])
})

describe('a walk', () => {
  const all = constructionMethodIds.map((id) => ({ id, parameters: {} }))

  it('finds the same weights when the days after a rebalance are not known yet', () => {
    const whole = run(request({ methods: all }))
    const early = run(
      request({ methods: all, backtest: { ...request().backtest, to: dateOf('2017-06-30') } }),
      until('2017-06-30'),
    )
    const count = early.report.rebalanceDays.length
    expect(count).toBeGreaterThan(4)
    early.report.portfolios.forEach(({ id, weights }) => {
      const later = whole.report.portfolios.find((one) => one.id === id)!
      // Prices are adjusted backwards from the newest one, which moves their last digit.
      weights.forEach((row, i) => row.forEach((one, k) => expect(later.weights[i]![k]).toBeCloseTo(one, 10)))
    })
  })

  it('is traded by the simulation of backtests: own weights have the curve of their backtest', async () => {
    const { report } = run(request())
    const own = report.portfolios.find(({ id }) => id === 'own')!
    const backtest = await runBacktest(
      planBacktest(allocationRequest(MIX, { rebalanceFrequency: 'quarterly', from: report.from })),
      market,
    )
    expect(own.metrics.totalReturn).toBeCloseTo(backtest.metrics.totalReturn, 9)
    expect(own.metrics.sharpe).toBeCloseTo(backtest.metrics.sharpe as number, 9)
    expect(own.fees).toBeCloseTo(backtest.metrics.fees, 6)
  })

  it('lists tickers in alphabetical order, so that the order of the form decides nothing', () => {
    const { report } = run(request())
    expect(report.tickers).toEqual(['GLD', 'SPY', 'TLT', 'VNQ'])
    const reversed = Object.fromEntries(Object.entries(MIX).toReversed())
    const other = run(request({ backtest: { ...request().backtest, strategy: allocationRequest(reversed).strategy } }))
    expect(other.report).toEqual(report)
  })

  it('keeps within bounds, groups and turnover at each rebalance, from what the weights have become', () => {
    const { material, walks } = run(
      request({
        methods: all,
        maxPct: 60,
        bounds: [{ ticker: 'gld', minPct: 10, maxPct: 30 }],
        groups: [{ name: 'Stocks', tickers: ['SPY', 'VNQ'], minPct: 20, maxPct: 50 }],
        turnoverPct: 5,
      }),
    )
    for (const { id, walk } of walks.filter((one) => one.id !== 'equal')) {
      for (const weights of walk.weights) expect(meets(weights, material.limits), id).toBe(true)
      walk.weights.slice(1).forEach((weights, i) => {
        // Prices move the weights between two rebalances; without that the change is at most what prices did and the limit.
        expect(exchanged(weights, walk.weights[i]!)).toBeLessThan(0.2)
      })
    }
  })

  it('counts rebalances at which the turnover limit could not be kept', () => {
    const { walks } = run(request({ turnoverPct: 0, maxPct: 30 }))
    const walk = walks.find(({ id }) => id === 'min_variance')!.walk
    expect(walk.overTurnover).toBeGreaterThan(0)
    expect(walk.weights.every((weights) => weights.every((weight) => weight <= 0.3 + 1e-9))).toBe(true)
  })

  it('does not count rebalances at which nothing had to be exchanged under a limit of nothing', () => {
    const { walks } = run(request({ methods: all, turnoverPct: 0 }))
    expect(walks.map(({ id, walk }) => [id, walk.overTurnover])).toEqual(walks.map(({ id }) => [id, 0]))
  })

  it.each(['same_close', 'next_open', 'next_close'] as const)(
    'leaves the first purchase out of the turnover, filled at the %s',
    (fillTiming) => {
      const backtest = allocationRequest({ SPY: 50, TLT: 50 }, { fillTiming })
      const { report } = run(
        request({ backtest, turnoverPct: 0, bounds: [{ ticker: 'SPY', minPct: 100, maxPct: 100 }] }),
      )
      const portfolio = report.portfolios.find(({ id }) => id === 'min_variance')!
      expect(portfolio.turnover).toBeCloseTo(0, 12)
      expect(portfolio.fees).toBeGreaterThan(0)
    },
  )

  it('holds a view from its day on, and one without a day for today alone', () => {
    const methods = [{ id: 'black_litterman' as const, parameters: {} }]
    const view = { ticker: 'GLD', expectedPct: 30, confidencePct: 90 }
    const of = (more: Partial<ConstructionRequest>) =>
      run(request({ methods, ...more })).report.portfolios.find(({ id }) => id === 'black_litterman')!
    const [none, today, since] = [
      of({}),
      of({ views: [view] }),
      of({ views: [{ ...view, since: dateOf('2018-01-01') }] }),
    ]
    expect(today.weights).toEqual(none.weights)
    expect(today.current[0]).toBeGreaterThan(none.current[0]! + 0.05)
    expect(since.weights.slice(0, 4)).toEqual(none.weights.slice(0, 4))
    expect(since.weights.at(-1)![0]).toBeGreaterThan(none.weights.at(-1)![0]! + 0.05)
  })

  it('says of every portfolio whether it differs from equal weights by more than chance, the same for the same seed', () => {
    const { report } = run(request({ methods: all }))
    expect(report.portfolios.map(({ id }) => id)).toEqual([...constructionMethodIds, 'own'])
    expect(report.portfolios[0]!.chance).toBeNull()
    for (const { chance } of report.portfolios.slice(1)) {
      const isNone = Math.abs(chance!.difference) < 0.005
      expect(chance!.sentence).toMatch(
        isNone
          ? /^The same Sharpe ratio as equal weights\.$/
          : /^Sharpe ratio \d\.\d\d (above|below) equal weights: (no )?more than chance alone/,
      )
      expect(chance!.isMoreThanChance).toBe(!isNone && chance!.pValue < 0.05)
    }
    expect(run(request({ methods: all })).report).toEqual(report)
  })

  it('compares no Sharpe ratio that there is not: bills alone have none', () => {
    const backtest = { ...request().backtest, strategy: allocationRequest({ SPY: 50, TBILLX: 50 }).strategy }
    const { report } = run(request({ backtest, methods: [{ id: 'min_cvar', parameters: {} }] }))
    const bills = report.portfolios.find(({ id }) => id === 'min_cvar')!
    expect(bills.current[1]).toBeGreaterThan(0.99)
    expect(bills.metrics.sharpe).toHaveProperty('notAvailable')
    expect(bills.chance).toBeNull()
  })

  it('makes nothing of a difference that is written as none, however certain it is', () => {
    const nearly = { GLD: 24.99, SPY: 25.01, TLT: 25.01, VNQ: 24.99 }
    const backtest = { ...request().backtest, strategy: allocationRequest(nearly).strategy }
    const own = run(request({ backtest })).report.portfolios.find(({ id }) => id === 'own')!
    expect(own.chance).toMatchObject({ isMoreThanChance: false, sentence: 'The same Sharpe ratio as equal weights.' })
  })
})

describe('a request is refused with a sentence', () => {
  it.each([
    [{ windowMonths: 120 }, 'which is too short for estimates over 120 months'],
    [{ windowMonths: 1 }, 'The window must have from 3 to 240 months'],
    [{ methods: [] }, 'Choose at least one method.'],
    [
      { methods: [{ id: 'min_cvar', parameters: { confidence_pct: 100 } }] },
      'Minimum CVaR: Confidence must be from 50',
    ],
    [{ methods: [{ id: 'min_cvar', parameters: { tau: 1 } }] }, 'Minimum CVaR has no parameter tau.'],
    [{ backtest: allocationRequest({ SPY: 60, CASHX: 40 }) }, 'Name at least two tickers besides CASHX'],
    [{ maxPct: 20 }, 'The maximum weights add up to 80%'],
    [{ bounds: [{ ticker: 'QQQ', minPct: 0, maxPct: 10 }] }, 'A bound names QQQ, which is not among the tickers.'],
    [{ groups: [{ name: 'None', tickers: [], minPct: 0, maxPct: 10 }] }, 'The group None has no tickers.'],
    [{ views: [{ ticker: 'SPY', against: 'SPY', expectedPct: 1, confidencePct: 50 }] }, 'compares SPY with itself'],
    [{ views: [{ ticker: 'SPY', expectedPct: 1, confidencePct: 100 }] }, 'must be from 1 to 99%'],
    [{ turnoverPct: -1 }, 'The turnover limit must be from 0 to 100%'],
  ] as [Partial<ConstructionRequest>, string][])('%j', (more, sentence) => {
    expect(() => prepareConstruction(request(more), market, solver)).toThrow(sentence)
  })

  it.each(['ledoit_wolf', 'sample'] as const)('names a ticker whose price stands still: %s', (covariance) => {
    const gld = market.series.get('GLD')!
    const columns = Object.fromEntries(
      Object.entries(gld.columns).map(([name, column]) => [name, column.map(() => 100)]),
    )
    const still = { series: new Map([...market.series, ['GLD', { ...gld, columns } as SeriesTable]]) }
    expect(() => run(request({ covariance }), still)).toThrow('The price of GLD did not move')
  })

  it('names the ticker whose history is too short', () => {
    const series = new Map(market.series)
    const vnq = market.series.get('VNQ')!
    const late = vnq.timestamps.findIndex((stamp) => stamp >= dayStamp(dateOf('2019-06-03')))
    series.set('VNQ', {
      ...vnq,
      timestamps: vnq.timestamps.subarray(late),
      columns: Object.fromEntries(Object.entries(vnq.columns).map(([name, column]) => [name, column.subarray(late)])),
    })
    expect(() => prepareConstruction(request(), { ...market, series }, solver)).toThrow(
      /VNQ has the latest first price/,
    )
  })
})
