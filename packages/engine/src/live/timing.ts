import type { FillTiming } from '@tradewright/core/backtest-settings'
import type { Granularity } from '@tradewright/core/granularity'
import { nyse } from '../market/trading-calendar.ts'
import { nextRun, type TradingSchedule } from './schedule.ts'

/**
 * The fill timing of a backtest that trades when a deployment does. Only complete bars decide, so near the close it is
 * the bar of the session before that is traded at today's close; a check through the day trades it at the open.
 */
export const fillTimingOf = ({ frequency }: TradingSchedule, granularity: Granularity): FillTiming =>
  frequency.type === 'end_of_day' && granularity === '1d' ? 'next_close' : 'next_open'

/** 1 for the bars that are the newest at a run of the schedule; `knownAt` is when each is complete. */
export function decidingBars(schedule: TradingSchedule, knownAt: Float64Array): Uint8Array {
  return Uint8Array.from(knownAt, (at, bar) => {
    const run = nextRun(schedule, at - 1, nyse)
    return run !== undefined && run < (knownAt[bar + 1] ?? Infinity) ? 1 : 0
  })
}
