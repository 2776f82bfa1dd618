import type { Clock } from '@tradewright/core/clock'
import { isIntraday } from '@tradewright/core/granularity'
import { parseTicker, type Ticker } from '@tradewright/core/ticker'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { requiredSeries } from '@tradewright/engine/backtest/required-series'
import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import { realProvidersFor } from '../market-data/providers.ts'
import type { BacktestRun } from './backtest-run.ts'

/** Bars within the day are kept by providers for a short while only: says so for a range that begins earlier. */
export function historyWarnings(
  { request, provider }: BacktestRun,
  symbols: readonly string[],
  providers: readonly MarketDataProvider[],
  clock: Clock,
): string[] {
  const { granularity, from } = request
  const today = epochDayOf(clock.now().getTime())
  const asked = [...new Set(symbols)].flatMap((symbol) => candidates(providers, parseTicker(symbol), provider)[0] ?? [])
  return [...new Set(asked)].flatMap(({ displayName, limits }) => {
    const daysBack = limits.history[granularity]?.daysBack
    if (daysBack === undefined || from >= today - daysBack) return []
    const first = formatDate(today - daysBack)
    return [
      `${displayName} has ${granularity} bars from ${first} on; before that, only data that is already stored is used.`,
    ]
  })
}

/** What has to be asked of providers for a run whose bars lie within the day. */
export function intradaySymbols({ request }: BacktestRun): string[] {
  if (!isIntraday(request.granularity)) return []
  return requiredSeries(planBacktest(request)).flatMap(({ symbol, purpose }) => (purpose === 'rates' ? [] : [symbol]))
}

const candidates = (providers: readonly MarketDataProvider[], ticker: Ticker, chosen: string): MarketDataProvider[] =>
  chosen === 'auto' ? realProvidersFor(providers, ticker) : providers.filter(({ id }) => id === chosen)
