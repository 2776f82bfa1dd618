import { parseTicker } from '@tradewright/core/ticker'
import { isSynthetic } from '@tradewright/engine/backtest/provenance'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { continuedSeries, namesOf, type TickerSuccessor } from '@tradewright/engine/market/successors'
import type { SeriesAnswer, SeriesSource } from '../../backtests/ports.ts'

/**
 * Market data in which a ticker goes on under the name that took its place, for signals, trainings and replays alike: its own
 * history until the change, and the successor's from then on.
 */
export function withSuccessors(source: SeriesSource, successors: readonly TickerSuccessor[]): SeriesSource {
  if (successors.length === 0) return source
  return async (request, signal) => {
    const asked = new Set(request.tickers.map((ticker) => parseTicker(ticker).symbol))
    const changed = [...asked].filter((symbol) => namesOf(symbol, successors).length > 1)
    const more = new Set(changed.flatMap((symbol) => namesOf(symbol, successors)).filter((name) => !asked.has(name)))
    if (changed.length === 0) return source(request, signal)
    const answer = await source({ ...request, tickers: [...request.tickers, ...more] }, signal)
    return continued(answer, successors, changed, more)
  }
}

function continued(
  answer: SeriesAnswer,
  successors: readonly TickerSuccessor[],
  changed: readonly string[],
  more: ReadonlySet<string>,
): SeriesAnswer {
  const series = new Map([...answer.series].filter(([symbol]) => !more.has(symbol)))
  const actions = new Map([...answer.actions].filter(([symbol]) => !more.has(symbol)))
  for (const symbol of changed) {
    const own = continuedSeries(symbol, successors, { ...answer, series: realOnes(answer.series, symbol, successors) })
    if (own.table) series.set(symbol, own.table)
    if (own.actions) actions.set(symbol, own.actions)
  }
  const isOwn = ({ ticker }: { ticker: string }) => !more.has(ticker)
  return {
    series,
    actions,
    // What the old name does not have the new one may have; a series that ends all the same is too old to decide by.
    missing: answer.missing
      .filter(isOwn)
      .map((one) =>
        changed.includes(one.ticker) && series.has(one.ticker) ? Object.assign({}, one, { hasRows: true }) : one,
      ),
    substituted: answer.substituted.filter(
      ({ ticker }) => !more.has(ticker) && (!changed.includes(ticker) || isSynthetic(series.get(ticker)!)),
    ),
  }
}

/** A sample series is never joined with prices that were paid: of a ticker with both, it does not count. */
function realOnes(
  series: ReadonlyMap<string, SeriesTable>,
  symbol: string,
  successors: readonly TickerSuccessor[],
): ReadonlyMap<string, SeriesTable> {
  const names = namesOf(symbol, successors)
  const hasReal = names.some((name) => series.has(name) && !isSynthetic(series.get(name)!))
  return hasReal ? new Map([...series].filter(([name, table]) => !names.includes(name) || !isSynthetic(table))) : series
}
