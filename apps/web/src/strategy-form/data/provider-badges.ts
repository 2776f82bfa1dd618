import type { SeriesSource } from '@tradewright/contract/backtest-figures'

/** More tickers of one provider are counted. */
const MAX_NAMED = 4

const NAMES: Readonly<Record<string, string>> = {
  csv: 'your CSV',
  sample: 'sample market',
  yahoo: 'Yahoo Finance',
  fred: 'FRED',
  coinbase: 'Coinbase',
  coinalyze: 'Coinalyze',
  alpaca: 'Alpaca',
}

/**
 * `SPY, TLT: your CSV`, one for each provider. Synthetic traded prices have a badge of their own, which says enough about
 * synthetic rates and indexes beside them.
 */
export function providerBadges(series: readonly SeriesSource[]): string[] {
  const hasOwnBadge = series.some(({ used_for, synthetic }) => synthetic && used_for === 'traded')
  const parts = series
    .filter(({ synthetic }) => !(synthetic && hasOwnBadge))
    .flatMap(({ ticker, providers }) => providers.map(({ provider }) => ({ ticker, provider })))
  const groups = Map.groupBy(parts, ({ provider }) => provider)
  return [...groups].map(([provider, group]) => {
    const tickers = [...new Set(group.map(({ ticker }) => ticker))]
    const more = tickers.length > MAX_NAMED ? ` and ${tickers.length - MAX_NAMED} more` : ''
    return `${tickers.slice(0, MAX_NAMED).join(', ')}${more}: ${NAMES[provider] ?? provider}`
  })
}

export const providerName = (provider: string): string => NAMES[provider] ?? provider
