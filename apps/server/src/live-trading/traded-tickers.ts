import { tickerKind } from '@tradewright/core/ticker-kind'
import { planBacktest } from '@tradewright/engine/backtest/plan'
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

/** Coins trade around the clock; everything else by the exchange's. */
export const tradesCoinsOnly = (deployment: Deployment): boolean =>
  tradedTickers(deployment).every((ticker) => tickerKind(ticker) === 'crypto')
