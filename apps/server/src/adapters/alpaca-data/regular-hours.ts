import { epochDayOf } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/calendar/nyse'
import { takeRows } from '@tradewright/engine/market/layers/rows'
import type { SeriesBlock } from '@tradewright/engine/market/series'

/** Alpaca's bars reach from early morning into the evening; those of other providers end with the session. */
export function regularHours(block: SeriesBlock): SeriesBlock {
  const rows: number[] = []
  block.timestamps.forEach((stamp, row) => {
    const day = epochDayOf(stamp)
    if (nyse.isSession(day) && stamp >= nyse.openOf(day) && stamp < nyse.closeOf(day)) rows.push(row)
  })
  return takeRows(block, rows)
}
