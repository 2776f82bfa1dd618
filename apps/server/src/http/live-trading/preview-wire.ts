import type { MonthReplay } from '@tradewright/contract/live-trading-watch'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import type { previewDecision } from '../../live-trading/deploy/preview.ts'
import type { DatedReplay } from '../../live-trading/replay/replay-month.ts'
import { decisionToWire, plannedToWire } from './watch-wire.ts'
import { volumeToWire } from './wire.ts'

type Preview = Awaited<ReturnType<typeof previewDecision>>

export const previewToWire = ({ decision, orders, volumes, isMarketOpen, nextCheckAt }: Preview) => ({
  decision: decisionToWire(decision),
  orders: orders.map(plannedToWire),
  volumes: volumes.map(volumeToWire),
  market_open: isMarketOpen,
  next_check_at: nextCheckAt?.toISOString() ?? null,
})

/** A month of five-minute bars has thousands; a line on a screen has no use for more than these. */
const MAX_POINTS = 500
const MAX_ROWS = 100

const stamp = (at: number): string => new Date(at).toISOString()

const WORDS = { 1: 'Buy', 0: 'Sell' } as const

export function monthToWire(replay: DatedReplay): MonthReplay {
  const { points, decisions, orders, startValue, trainedUntil } = replay
  const last = points.at(-1)!
  const step = Math.ceil(points.length / MAX_POINTS)
  // Counted from the end, so that the last point is one of them.
  const shown = points.filter((_, i) => (points.length - 1 - i) % step === 0)
  return {
    start_date: formatDate(epochDayOf(points[0]!.at - 1)),
    end_date: formatDate(epochDayOf(last.at - 1)),
    start_value: startValue,
    end_value: last.value,
    points: shown.map(({ at, value }) => ({ timestamp: stamp(at), value })),
    decision_count: replay.decisionCount,
    decisions: decisions
      .slice(-MAX_ROWS)
      .toReversed()
      .map(({ at, signal, probability, traded }) => ({
        timestamp: stamp(at),
        signal_type: signal === undefined ? 'Allocation' : WORDS[signal],
        probability: probability ?? null,
        traded,
      })),
    order_count: orders.length,
    orders: orders
      .slice(-MAX_ROWS)
      .toReversed()
      .map(({ at, ticker, quantity, price }) => ({
        timestamp: stamp(at),
        symbol: ticker,
        side: quantity < 0 ? 'sell' : 'buy',
        quantity: Math.abs(quantity),
        price,
        value: Math.abs(quantity) * price,
      })),
    trained_until: trainedUntil === null ? null : formatDate(trainedUntil),
    synthetic_tickers: [...replay.syntheticTickers],
  }
}
