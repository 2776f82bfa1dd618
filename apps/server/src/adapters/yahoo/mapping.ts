import type { Granularity } from '@tradewright/core/granularity'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { epochDayOf, SECOND, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import type { StampRule } from '@tradewright/engine/market/layers/stamps'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { columnOf } from '../market-data/columns.ts'
import type { YahooResult } from './schema.ts'

/** Yahoo writes class shares with a dash. Its own suffixes behind a dot are exchanges, none of which is A, B or C. */
export const yahooSymbol = (ticker: string): string => ticker.replace(/^([A-Z]+)\.([ABC])$/, '$1-$2')

interface SentRows {
  readonly ticker: string
  readonly granularity: Granularity
  readonly collectedAt: UtcMillis
}

/** Answers of consecutive windows as one block in Yahoo's words; a row outside its own window is in another one. */
export function toBronze(parts: readonly { result: YahooResult; window: TimeRange }[], sent: SentRows): SeriesBlock {
  const { meta } = parts[0]!.result
  const blocks = parts.map(({ result, window }) => windowRows(result, window))
  const names = ['open', 'high', 'low', 'close', 'volume', 'adjclose'] as const
  const columns = names.map((name) => [name, columnOf(blocks.flatMap((block) => block[name]))] as const)
  return {
    ticker: meta.symbol,
    granularity: sent.granularity,
    provider: 'yahoo',
    type: tickerKind(sent.ticker),
    currency: meta.currency ?? 'USD',
    collectedAt: sent.collectedAt,
    timestamps: Float64Array.from(blocks.flatMap((block) => block.instants)),
    columns: Object.fromEntries(columns.filter(([, column]) => column.some((value) => !Number.isNaN(value)))),
  }
}

function windowRows({ timestamp, indicators }: YahooResult, { from, to }: TimeRange) {
  const quote = indicators.quote[0] ?? {}
  const rows = timestamp.flatMap((second, row) => (second * SECOND >= from && second * SECOND < to ? [row] : []))
  const pick = (values: readonly (number | null)[] | undefined) => rows.map((row) => values?.[row] ?? null)
  return {
    instants: rows.map((row) => timestamp[row]! * SECOND),
    open: pick(quote.open),
    high: pick(quote.high),
    low: pick(quote.low),
    close: pick(quote.close),
    volume: pick(quote.volume),
    adjclose: pick(indicators.adjclose[0]?.adjclose),
  }
}

/** Dividends are per share of today; the caller turns them back together with the prices. */
export function toActions(results: readonly YahooResult[], stamp: StampRule): CorporateActions {
  const dayOf = (second: number) => epochDayOf(stamp(second * SECOND))
  const splits = results.flatMap(({ events }) =>
    Object.values(events.splits)
      .filter(({ numerator, denominator }) => numerator > 0 && denominator > 0)
      .map(({ date, numerator, denominator }) => ({ exDay: dayOf(date), ratio: numerator / denominator })),
  )
  const dividends = results.flatMap(({ events }) =>
    Object.values(events.dividends)
      .filter(({ amount }) => amount > 0)
      .map(({ date, amount }) => ({ exDay: dayOf(date), amount })),
  )
  return { splits: oncePerDay(splits), dividends: oncePerDay(dividends) }
}

/** Windows that touch may both tell of an event at their border. */
function oncePerDay<Action extends { readonly exDay: number }>(actions: readonly Action[]): Action[] {
  return [...new Map(actions.map((action) => [action.exDay, action])).values()].sort((a, b) => a.exDay - b.exDay)
}
