import { Problem } from '@tradewright/core/problem'
import { isObservation, tickerKind } from '@tradewright/core/ticker-kind'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import type { MarketDataProvider, TickerResult } from '@tradewright/engine/market/provider'
import type { SeriesBlock, SeriesTable } from '@tradewright/engine/market/series'
import type { SeriesAnswer, SeriesSource } from './ports.ts'

/** Series straight from one provider, nothing stored: the sample market, which costs nothing to ask again. */
export const seriesFromProvider =
  (provider: MarketDataProvider | undefined): SeriesSource =>
  async ({ tickers, range, granularity, provider: asked }, signal) => {
    if (!provider || (asked !== 'auto' && asked !== provider.id)) {
      throw new Problem('invalid', 'backtest.provider', `The data provider "${asked}" is not available.`)
    }
    const byGranularity = Map.groupBy(tickers, (ticker) => (tickerKind(ticker) === 'economic' ? '1d' : granularity))
    const results: TickerResult[] = []
    for (const [own, group] of byGranularity) {
      const request = { tickers: group, granularity: own, range, categories: provider.limits.supportedCategories }
      for await (const result of provider.fetch(request, signal)) results.push(result)
    }
    return answerOf(results)
  }

function answerOf(results: readonly TickerResult[]): SeriesAnswer {
  const series = new Map<string, SeriesTable>()
  const actions = new Map<string, CorporateActions>()
  const missing: { ticker: string; reason: string; hasRows: boolean }[] = []
  for (const result of results) {
    const { ticker } = result
    if (result.outcome === 'delivered') {
      series.set(ticker, tableOf(result.silver))
      if (!isObservation(result.silver.type)) actions.set(ticker, result.actions)
    } else {
      const reason = result.outcome === 'missing' ? result.message : result.failure.message
      missing.push({ ticker, reason, hasRows: false })
    }
  }
  return { series, actions, missing }
}

function tableOf({ provider, collectedAt, ...block }: SeriesBlock): SeriesTable {
  const { timestamps } = block
  const source = { provider, rows: timestamps.length, from: timestamps[0]!, last: timestamps.at(-1)!, collectedAt }
  return { ...block, sources: [source] }
}
