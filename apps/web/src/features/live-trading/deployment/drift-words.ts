import type { DRIFT_CAUSES } from '@tradewright/contract/live-trading-watch'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import type { Overview } from '../queries.ts'

type Replay = NonNullable<Overview['replay']>
type Cause = Replay['causes'][number]
export type Fill = Replay['fills'][number]

export const CAUSE_LABELS: Record<(typeof DRIFT_CAUSES)[number], string> = {
  model_version: 'Model version',
  data_corrected: 'Data corrected since',
  paused: 'Paused',
  runs_missed: 'Runs missed',
  fees: 'Fees against the assumed costs',
  fill_price: 'Fill price against the backtest’s price',
  borrow_costs: 'Borrowed shares against the assumed rate',
  rounding: 'Rounding and idle cash',
}

/** What rounds to nothing has no sign. */
export const pointsText = (pct: number | null): string =>
  pct !== null && Math.abs(pct) < 0.005
    ? formatNumber(0, { decimals: 2, suffix: ' pp' })
    : formatNumber(pct, { decimals: 2, suffix: ' pp', sign: 'always' })

export const bpsText = (bps: number | null): string => formatNumber(bps, { decimals: 1, suffix: ' bp' })

/** What a line opens, in a few words. */
export function behindText({ client_order_ids: orders, days }: Cause): string {
  if (days.length > 0) return `${formatCount(days.length)} ${days.length === 1 ? 'run' : 'runs'}`
  if (orders.length > 0) return `${formatCount(orders.length)} ${orders.length === 1 ? 'order' : 'orders'}`
  return ''
}

/** What trading cost, beside what the backtest takes for it. */
export function slippageText({ slippage: { cost_bps, fee_bps, assumed_bps } }: Replay): string {
  const parts = [
    ...(cost_bps === null
      ? []
      : [`Fills cost ${bpsText(cost_bps)} against the last price known before they were sent`]),
    ...(fee_bps === null ? [] : [`fees ${bpsText(fee_bps)}`]),
  ]
  return parts.length === 0 ? '' : `${parts.join(', ')}; the backtest assumes ${bpsText(assumed_bps)} in all.`
}

export const fillsOf = ({ client_order_ids: ids }: Cause, fills: readonly Fill[]): Fill[] => {
  const wanted = new Set(ids)
  return fills.filter(({ client_order_id: id }) => wanted.has(id))
}
