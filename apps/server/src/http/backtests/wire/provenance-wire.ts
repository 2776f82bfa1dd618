import type { DataProblem as WireProblem, SeriesSource, SplicedTickers } from '@tradewright/contract/backtest-figures'
import { parseTicker } from '@tradewright/core/ticker'
import { TBILLX } from '@tradewright/core/ticker-kind'
import { formatDate } from '@tradewright/core/time'
import { BILL_RATES } from '@tradewright/engine/backtest/interest-rates'
import { type SeriesProvenance, syntheticTickers, tradesSynthetic } from '@tradewright/engine/backtest/provenance'
import { fixedRows } from '@tradewright/engine/backtest/request'
import type { SplicedTicker } from '@tradewright/engine/backtest/stand-ins'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
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
export function provenanceToWire(report: Pick<BacktestReport, 'run' | 'result'>) {
  const { series } = report.result
  if (!series) return provenanceOfEarlier(report)
  return {
    series_sources: series.map(seriesToWire),
    synthetic: tradesSynthetic(series),
    synthetic_tickers: syntheticTickers(series, 'traded'),
  }
}

/** Results of earlier versions called themselves synthetic for any series; their list of sources tells which it was. */
function provenanceOfEarlier({ run, result }: Pick<BacktestReport, 'run' | 'result'>) {
  const { strategy } = run.request
  const traded = new Set(
    fixedRows(strategy)
      .flat()
      .map(({ ticker }) => parseTicker(ticker).symbol),
  )
  // The price of TBILLX is the rate that it is made of.
  if (traded.has(TBILLX)) for (const rate of BILL_RATES) traded.add(rate)
  const made = result.sources.simulation.providers
    .filter(({ provider }) => provider === SAMPLE_PROVIDER_ID)
    .flatMap(({ tickers }) => tickers.filter((ticker) => traded.has(ticker)))
  return { series_sources: [], synthetic: made.length > 0, synthetic_tickers: made }
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
