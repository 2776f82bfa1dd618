import { dateOf } from '@tradewright/core/time'
import type { MarketData } from '../../backtest/market-data.ts'
import { realData } from '../../backtest/test-support/market-files.ts'
import { randomWalks } from '../../backtest/test-support/random-walks.ts'
import { defaultForestSettings } from '../../models/settings.ts'
import { planSearch } from '../plan.ts'
import { prepareSearch } from '../prepare.ts'
import { reportSearch, type SearchReport } from '../report.ts'
import { evaluateHere, rulesOf, runSearch } from '../search.ts'
import { searchRequest } from './made-up-search.ts'

const FROM = dateOf('2012-01-03')
const TO = dateOf('2021-12-31')
const WARM_UP_DAYS = 120

/** A strong drift: 15 % a year at a volatility of 16 %, or another one. */
export const driftingWalks = (seed: number, drift = 0.15): MarketData =>
  randomWalks([{ ticker: 'TGT', drift }, { ticker: 'NOISE' }], seed, FROM - WARM_UP_DAYS, TO)

/** A stock's real prices beside a random walk that has nothing to do with it. */
export function realStock(ticker: string): MarketData {
  const noise = randomWalks([{ ticker: 'NOISE' }], 1, FROM - WARM_UP_DAYS, TO)
  const { series, actions } = realData([ticker], ['TB3MS'])
  return { series: new Map([...series, ...noise.series]), ...(actions && { actions }) }
}

/** A search for the best Sharpe ratio of being in or out of one asset, with features that know nothing of its future. */
export async function searchTiming(asset: string, data: MarketData, seed: number): Promise<SearchReport> {
  const plan = planSearch(
    searchRequest({
      from: FROM,
      to: TO,
      seed,
      targets: [{ asset, selection: { id: 1, params: { ticker: asset } }, relatedAssets: ['NOISE'] }],
      features: ['rsi', 'volatility', 'z_score'].map((feature) => ({ feature, choices: {} })),
      windowSizes: [5, 14, 40],
      model: { kind: 'forest', settings: { ...defaultForestSettings, trees: 15, minSamplesLeaf: 20 } },
      fitness: { metric: 'sharpe', mode: 'mean_only', variancePenalty: 0.5, varianceExponent: 1 },
      breeding: { populationSize: 10, generations: 4, mutationRate: 0.2, maxFeatures: 4 },
      holdOutPct: 20,
    }),
  )
  const prepared = prepareSearch(plan, data)
  const history = await runSearch(plan, prepared, {
    evaluateAll: async (individuals) => evaluateHere(plan, prepared, individuals),
  })
  return reportSearch(prepared.searches, rulesOf(plan), history)
}

export const earnedLessThanHolding = ({ details: { holdOut } }: SearchReport): boolean =>
  holdOut!.cagr! <= holdOut!.holding.cagr!
