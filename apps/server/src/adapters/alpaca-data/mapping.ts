import type { Granularity } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import { dayStamp, type EpochDay, parseDate, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import type { ListedAction } from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { toTicker } from '../alpaca/symbols.ts'
import { pluck } from '../market-data/delivery.ts'
import type { AlpacaActions, AlpacaBar, AlpacaHoldingActions } from './http.ts'

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

interface Terms {
  readonly shares?: readonly (readonly [symbol: string, perShare: number])[]
  readonly cash?: number
  readonly isKept?: boolean
}

/** One that keeps symbol and shares, such as a change of the name alone, is none. */
export function toListedActions(sent: AlpacaHoldingActions): ListedAction[] {
  const action = (symbol: string, { process_date }: { process_date: string }, terms: Terms): ListedAction[] => {
    const day = parseDate(process_date)
    const { shares = [], cash = 0, isKept = false } = terms
    if (day === undefined || shares.some(([other]) => other === symbol)) return []
    return [
      {
        ticker: toTicker(symbol, undefined),
        day,
        shares: shares.map(([other, perShare]) => ({ ticker: toTicker(other, undefined), perShare })),
        cashPerShare: cash,
        isKept,
      },
    ]
  }
  return [
    ...sent.name_changes.flatMap((one) => action(one.old_symbol, one, { shares: [[one.new_symbol, 1]] })),
    ...sent.cash_mergers.flatMap((one) => action(one.acquiree_symbol, one, { cash: one.rate })),
    ...sent.stock_mergers.flatMap((one) =>
      action(one.acquiree_symbol, one, { shares: [[one.acquirer_symbol, one.acquirer_rate / one.acquiree_rate]] }),
    ),
    ...sent.stock_and_cash_mergers.flatMap((one) =>
      action(one.acquiree_symbol, one, {
        shares: [[one.acquirer_symbol, one.acquirer_rate / one.acquiree_rate]],
        cash: one.cash_rate / one.acquiree_rate,
      }),
    ),
    ...sent.spin_offs.flatMap((one) =>
      action(one.source_symbol, one, { shares: [[one.new_symbol, one.new_rate / one.source_rate]], isKept: true }),
    ),
    ...sent.rights_distributions.flatMap((one) =>
      action(one.source_symbol, one, { shares: [[one.new_symbol, one.rate]], isKept: true }),
    ),
    ...sent.redemptions.flatMap((one) => action(one.symbol, one, { cash: one.rate })),
    ...sent.worthless_removals.flatMap((one) => action(one.symbol, one, {})),
    ...sent.unit_splits.flatMap((one) =>
      action(one.old_symbol, one, {
        shares: [
          [one.new_symbol, one.new_rate / one.old_rate],
          [one.alternate_symbol, one.alternate_rate / one.old_rate],
        ],
      }),
    ),
    ...sent.reorganizations.flatMap((one) =>
      action(one.symbol, one, {
        shares: one.stock_movements.map((part) => [part.symbol, part.new_rate / part.source_rate] as const),
        cash: one.cash_rate,
      }),
    ),
  ]
}
