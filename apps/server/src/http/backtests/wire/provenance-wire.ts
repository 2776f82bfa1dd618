import type { DataProblem as WireProblem, SeriesSource, SplicedTickers } from '@tradewright/contract/backtest-figures'
import { formatDate } from '@tradewright/core/time'
import { type SeriesProvenance, syntheticTickers, tradesSynthetic } from '@tradewright/engine/backtest/provenance'
import type { SplicedTicker } from '@tradewright/engine/backtest/stand-ins'
import type { DataProblem } from '../../../backtests/data-problems.ts'
import type { BacktestReport } from '../../../backtests/report.ts'

export const seriesToWire = ({ ticker, use, sources, synthetic }: SeriesProvenance): SeriesSource => ({
  ticker,
  used_for: use,
  providers: sources.map(({ start, end, ...rest }) => ({ ...rest, start: formatDate(start), end: formatDate(end) })),
  synthetic,
})

export const dataProblemToWire = ({ effect, tickers, provider, sentence, mayRetry }: DataProblem): WireProblem => ({
  effect,
  tickers: [...tickers],
  provider: provider ?? null,
  sentence,
  may_retry: mayRetry,
})

/** Which series came from where, and whether a traded price is synthetic. */
export function provenanceToWire({ result: { series } }: Pick<BacktestReport, 'result'>) {
  return {
    series_sources: series.map(seriesToWire),
    synthetic: tradesSynthetic(series),
    synthetic_tickers: syntheticTickers(series, 'traded'),
  }
}

export const splicedToWire = (spliced: readonly SplicedTicker[] = []): SplicedTickers =>
  spliced.map(({ ticker, standIns }) => ({
    ticker,
    stand_ins: standIns.map((one) => ({
      ticker: one.ticker,
      start_date: formatDate(one.from),
      end_date: formatDate(one.to),
    })),
  }))
