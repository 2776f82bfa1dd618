import { tickerKind } from '@tradewright/core/ticker-kind'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { tradedAs } from '@tradewright/engine/live/trading-weights'
import type { Deployment } from './deployment.ts'

/** All that the strategy may ever trade, whatever it signals today. */
export function tradedTickers({ strategy, settings }: Pick<Deployment, 'strategy' | 'settings'>): string[] {
  const { tradedTickers: signals, replacementTicker } = planBacktest(strategy.request)
  const all = replacementTicker === undefined ? signals : [...signals, replacementTicker]
  return all.flatMap((ticker) => tradedAs(ticker, settings.tickerMapping)?.ticker ?? [])
}

/** Coins trade around the clock; everything else by the exchange's. */
export const tradesCoinsOnly = (deployment: Deployment): boolean =>
  tradedTickers(deployment).every((ticker) => tickerKind(ticker) === 'crypto')
