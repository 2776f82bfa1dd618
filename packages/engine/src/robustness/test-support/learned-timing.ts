import { deriveSeed, Random } from '@tradewright/core/random'
import { dateOf, dayStamp } from '@tradewright/core/time'
import type { MarketData } from '../../backtest/market-data.ts'
import { modelLearner } from '../../backtest/model-learner.ts'
import { planBacktest } from '../../backtest/plan.ts'
import { runBacktest } from '../../backtest/run-backtest.ts'
import { standardNormal } from '../../backtest/test-support/random-walks.ts'
import { mlRequest } from '../../backtest/test-support/requests.ts'
import { nyse } from '../../market/trading-calendar.ts'
import type { SeriesTable } from '../../market/series.ts'
import type { ModelChoice } from '../../models/settings.ts'
import { contextOf, type Found } from '../check.ts'
import { crossValidationCheck as check } from '../checks/cross-validation.ts'
import { type BoardEffort, type BoardMaterial, shareMaterial } from '../material.ts'
import { prepareBoard } from '../prepare.ts'

const FROM = dateOf('2003-01-02')
const TO = dateOf('2022-12-30')
const DAYS = [...nyse.sessionsBetween(FROM, TO + 1)]
const PER_YEAR = 252
const DAILY_VOLATILITY = 0.16 / Math.sqrt(PER_YEAR)

/** A market of 20 years of days on which a model may time TGT by what SIG did the day before. SIG rises or falls for ten days on average. */
export interface TimedMarket {
  readonly seed: number
  /**
   * What TGT earns a year on days after a gain of SIG, less what it earns on the others, in Sharpe ratios of TGT (16% volatility).
   * 0: noise.
   */
  readonly edge: number
  /** Sharpe ratio of TGT itself. */
  readonly drift: number
}

function marketOf({ seed, edge, drift }: TimedMarket): MarketData {
  const draws = (place: number) => {
    const random = new Random(deriveSeed(seed, place))
    return Array.from(DAYS, () => DAILY_VOLATILITY * standardNormal(random))
  }
  const states = new Random(deriveSeed(seed, 3))
  let rises = true
  const signal = draws(1).map((own) => {
    if (states.float() < 0.1) rises = states.below(2) === 1
    return own / 4 + (rises ? DAILY_VOLATILITY : -DAILY_VOLATILITY)
  })
  const mean = (drift * 0.16) / PER_YEAR
  const half = (edge * 0.16) / 2 / PER_YEAR
  const target = draws(2).map((own, day) => own + mean + ((signal[day - 1] ?? 0) > 0 ? half : -half))
  const tables = [seriesOf('TGT', target), seriesOf('SIG', signal)]
  return { series: new Map(tables.map((table) => [table.ticker, table])) }
}

function seriesOf(ticker: string, returns: readonly number[]): SeriesTable {
  let price = 100
  const close = Float64Array.from(returns, (earned) => (price *= 1 + earned))
  // Fills happen at the open, which must not know the day.
  const open = close.map((_, day) => (day === 0 ? 100 : close[day - 1]!))
  return {
    ticker,
    type: 'security',
    granularity: '1d',
    currency: 'USD',
    timestamps: Float64Array.from(DAYS, dayStamp),
    columns: { open, high: close.map((one) => one * 1.01), low: close.map((one) => one * 0.99), close },
    sources: [],
  }
}

const request = mlRequest(
  {
    features: [{ id: 1, params: { ticker: 'SIG', window: 1 } }],
    target: { id: 1, params: { ticker: 'TGT' } },
    buy: [{ ticker: 'TGT', allocationPct: 100 }],
    sell: [],
  },
  { from: FROM, to: TO, referenceTicker: undefined },
)

/** The board's material of a model that was trained on such a market. */
export async function learnedTiming(
  market: TimedMarket,
  model: ModelChoice = { kind: 'linear' },
): Promise<BoardMaterial> {
  const data = marketOf(market)
  const result = await runBacktest(planBacktest(request), data, modelLearner(model))
  const stored = { ...result.ml!, timestamps: result.curve.timestamps }
  return shareMaterial(prepareBoard(request, data, stored, market.seed, undefined, model).material)
}

/** What cross-validation finds; `inReverse`: its parts are computed from the last to the first. */
export function pathsOf(material: BoardMaterial, seed: number, effort: BoardEffort, inReverse = false): Found {
  const numbers = Array.from({ length: check.parts!(effort) }, (_, part) => part)
  const run = (part: number) => check.run(contextOf(material, effort, deriveSeed(seed, part)), part)
  const parts = inReverse ? numbers.toReversed().map(run).toReversed() : numbers.map(run)
  return check.join(contextOf(material, effort, seed), parts) as Found
}
