import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { type EpochDay, epochDayOf, formatDate, parseDate } from '@tradewright/core/time'
import { z } from 'zod'
import type { SeriesFor } from '../../market-data/series-for.ts'
import { defineTool } from '../tool.ts'
import { rounded, downsampled } from './backtest-facts.ts'
import { commonPeriod } from './common-period.ts'
import { correlationsOf } from './correlations.ts'
import { priceFacts } from './price-facts.ts'
import { onePriceSeries, priceSeries } from './price-series.ts'

interface MarketToolDeps {
  readonly seriesFor: SeriesFor
  readonly clock: Clock
}

const Symbol = z.string().trim().min(1).max(60)
/** A year, and a few days more so that there is a value a year ago. */
const QUOTE_DAYS = 380

const day = (what: string, text: string): EpochDay => {
  const parsed = parseDate(text)
  if (parsed === undefined) throw new Problem('invalid', 'assistant.date', `${what} must be a date like 2024-12-31.`)
  return parsed
}

export const marketTools = ({ seriesFor, clock }: MarketToolDeps) => {
  const today = () => epochDayOf(clock.now().getTime())
  return {
    getQuotes: defineTool({
      name: 'get_quotes',
      description:
        'Latest daily value of tickers (stocks, ETFs, BTC-USD, economic series such as DGS10), with returns over 1 day to 1 year and volatility. Each ends at its own newest date; to compare tickers use get_compared_quotes.',
      note: 'Looking up prices',
      input: z.object({ tickers: z.array(Symbol).min(1).max(12) }),
      async run(caller, { tickers }) {
        const range = { from: today() - QUOTE_DAYS, to: today() }
        const { series, missing } = await priceSeries(seriesFor, caller, tickers, range)
        return { quotes: series.map(priceFacts), missing }
      },
    }),

    compareQuotes: defineTool({
      name: 'get_compared_quotes',
      description:
        'Returns and volatility of tickers over the same dates: all end at the last date that every one of them has.',
      note: 'Comparing prices',
      input: z.object({ tickers: z.array(Symbol).min(1).max(12) }),
      async run(caller, { tickers }) {
        const period = { today: today(), days: QUOTE_DAYS }
        const { series, missing, end, endingFirst } = await commonPeriod(seriesFor, caller, tickers, period)
        return {
          quotes: series.map(priceFacts),
          missing,
          common_end_date: end === undefined ? null : formatDate(end),
          limited_by: endingFirst,
        }
      },
    }),

    getPriceHistory: defineTool({
      name: 'get_price_history',
      description:
        'Daily history of one ticker between two dates, downsampled to at most 48 points, with its total return.',
      note: 'Looking up a price history',
      input: z.object({ ticker: Symbol, start_date: z.string(), end_date: z.string().optional() }),
      async run(caller, { ticker, start_date, end_date }) {
        const to = end_date === undefined ? today() : day('end_date', end_date)
        const from = day('start_date', start_date)
        if (from > to) throw new Problem('invalid', 'assistant.date', 'start_date lies after end_date.')
        const found = await onePriceSeries(seriesFor, caller, [ticker], { from, to })
        const { timestamps, adjusted, raw, isPrice, synthetic, providers } = found
        return {
          ticker: found.ticker,
          first_date: formatDate(epochDayOf(timestamps[0]!)),
          last_date: formatDate(epochDayOf(timestamps.at(-1)!)),
          total_return: isPrice ? rounded(adjusted.at(-1)! / adjusted[0]! - 1) : null,
          values: downsampled(timestamps, raw),
          providers,
          synthetic,
        }
      },
    }),

    getCorrelations: defineTool({
      name: 'get_correlations',
      description:
        'Correlation of the daily returns of each two of some tickers over the last days that all of them have (default 365).',
      note: 'Computing correlations',
      input: z.object({ tickers: z.array(Symbol).min(2).max(10), days: z.int().min(30).max(3650).default(365) }),
      async run(caller, { tickers, days }) {
        const { series, missing, end } = await commonPeriod(seriesFor, caller, tickers, { today: today(), days })
        return {
          days,
          end_date: end === undefined ? null : formatDate(end),
          pairs: correlationsOf(series.filter(({ isPrice }) => isPrice)),
          missing,
          synthetic: series.some(({ synthetic }) => synthetic),
          synthetic_tickers: series.filter(({ synthetic }) => synthetic).map(({ ticker }) => ticker),
        }
      },
    }),
  }
}

export type MarketTools = ReturnType<typeof marketTools>
