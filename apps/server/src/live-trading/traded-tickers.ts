import { tickerKind } from '@tradewright/core/ticker-kind'
import { Problem } from '@tradewright/core/problem'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { requiredSeries } from '@tradewright/engine/backtest/required-series'
import { tradedAs } from '@tradewright/engine/live/trading-weights'
import type { Deployment } from './deployment.ts'

/** All that the strategy may ever name, before the ticker mapping. */
export function namedTickers({ strategy }: Pick<Deployment, 'strategy'>): readonly string[] {
  const { tradedTickers: signals, replacementTicker } = planBacktest(strategy.request)
  return replacementTicker === undefined ? signals : [...signals, replacementTicker]
}

/** All that the strategy may ever trade, whatever it signals today. */
export const tradedTickers = (deployment: Pick<Deployment, 'strategy' | 'settings'>): string[] =>
  namedTickers(deployment).flatMap((ticker) => tradedAs(ticker, deployment.settings.tickerMapping)?.ticker ?? [])

/** Whose money deployments trade that depend on the prices of a ticker and are not stopped. */
export type TradedBy = (userId: number, ticker: string) => Promise<readonly ('paper' | 'live')[]>

/** Whether its decisions or its orders depend on the prices of a symbol. One that cannot be run any more reads nothing. */
export function readsSymbol(deployment: Pick<Deployment, 'strategy' | 'settings'>, symbol: string): boolean {
  const { request, successors = [] } = deployment.strategy
  try {
    return (
      requiredSeries(planBacktest(request)).some((one) => one.symbol === symbol) ||
      tradedTickers(deployment).includes(symbol) ||
      successors.some(({ to }) => to === symbol)
    )
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Coins trade around the clock; everything else by the exchange's. */
export const tradesCoinsOnly = (deployment: Deployment): boolean =>
  tradedTickers(deployment).every((ticker) => tickerKind(ticker) === 'crypto')
