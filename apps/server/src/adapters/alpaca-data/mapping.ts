import type { Granularity } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import { dayStamp, type EpochDay, parseDate, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { pluck } from '../market-data/columns.ts'
import type { AlpacaActions, AlpacaBar } from './schema.ts'

/** `BRK-B` is `BRK.B`, and `BTC-USD` is `BTC/USD`. */
export const alpacaSymbol = (ticker: string, kind: TickerKind): string =>
  ticker.replace('-', kind === 'crypto' ? '/' : '.')

interface SentBars {
  readonly symbol: string
  readonly kind: TickerKind
  readonly granularity: Granularity
  readonly collectedAt: UtcMillis
}

export const toBronze = (
  bars: readonly AlpacaBar[],
  { symbol, kind, granularity, collectedAt }: SentBars,
): SeriesBlock => ({
  ticker: symbol,
  granularity,
  provider: 'alpaca',
  type: kind,
  currency: 'USD',
  collectedAt,
  timestamps: Float64Array.from(bars, ({ t }) => Date.parse(t)),
  columns: {
    o: pluck(bars, ({ o }) => o),
    h: pluck(bars, ({ h }) => h),
    l: pluck(bars, ({ l }) => l),
    c: pluck(bars, ({ c }) => c),
    v: pluck(bars, ({ v }) => v),
  },
})

export const ourCategories = { o: 'open', h: 'high', l: 'low', c: 'close', v: 'volume' }

const sorted = (entries: ReadonlyMap<EpochDay, number>) => [...entries].sort(([a], [b]) => a - b)

/** A regular and a special dividend of one day are one payment, and so are two splits. */
export function toActions(sent: AlpacaActions, symbol: string, range: TimeRange): CorporateActions {
  const within = <Action extends { symbol: string; ex_date: string }>(actions: readonly Action[]) =>
    actions.flatMap((action) => {
      const exDay = parseDate(action.ex_date)
      const isWanted =
        action.symbol === symbol && exDay !== undefined && dayStamp(exDay) >= range.from && dayStamp(exDay) < range.to
      return isWanted ? [{ ...action, exDay }] : []
    })
  const amounts = new Map<EpochDay, number>()
  for (const { exDay, rate } of within(sent.cash_dividends))
    if (rate > 0) amounts.set(exDay, (amounts.get(exDay) ?? 0) + rate)
  const ratios = new Map<EpochDay, number>()
  for (const { exDay, new_rate, old_rate } of within([...sent.forward_splits, ...sent.reverse_splits])) {
    if (new_rate > 0 && old_rate > 0) ratios.set(exDay, ((ratios.get(exDay) ?? 1) * new_rate) / old_rate)
  }
  return {
    splits: sorted(ratios).map(([exDay, ratio]) => ({ exDay, ratio })),
    dividends: sorted(amounts).map(([exDay, amount]) => ({ exDay, amount })),
  }
}
