import type { Feature, Target } from '@tradewright/contract/features'

/** A varied handful that suits every kind of asset, for a first run. */
const STARTER_FEATURES = new Set(['percent_change', 'rsi', 'price_sma_ratio', 'volatility', 'momentum', 'drawdown'])
const STARTER_TARGET = 'next_bar_direction'

export const starterFeatures = (catalogue: readonly Feature[]): Feature[] =>
  catalogue.filter(({ key }) => STARTER_FEATURES.has(key))

export const starterTarget = (catalogue: readonly Target[]): Target | undefined =>
  catalogue.find(({ key }) => key === STARTER_TARGET)
