import { barCategories } from '@tradewright/core/category'
import { Random } from '@tradewright/core/random'
import { DAY } from '@tradewright/core/time'
import type { SeriesBlock } from '@tradewright/engine/market/series'

export const FIRST_DAY = Date.UTC(2004, 0, 1)

export const tickerName = (index: number): string => `T${String(index).padStart(4, '0')}`

/**
 * Daily bars, the same on every run: `days` rows of five categories. Most series have the same days, as stocks of one
 * market do that a job collects from the same date on; every tenth has its own.
 */
export function dailyBars(index: number, days: number): SeriesBlock {
  const random = new Random(index + 1)
  const firstDay = index % 10 === 9 ? FIRST_DAY - index * DAY : FIRST_DAY
  const columns = Object.fromEntries(barCategories.map((category) => [category, new Float64Array(days)]))
  let price = 20 + 200 * random.float()
  for (let row = 0; row < days; row++) {
    const open = price
    price *= 1 + 0.02 * (random.float() - 0.499)
    columns['open']![row] = cents(open)
    columns['close']![row] = cents(price)
    columns['high']![row] = cents(Math.max(open, price) * (1 + 0.01 * random.float()))
    columns['low']![row] = cents(Math.min(open, price) * (1 - 0.01 * random.float()))
    columns['volume']![row] = Math.round(1e5 + 1e7 * random.float())
  }
  return {
    ticker: tickerName(index),
    granularity: '1d',
    provider: 'yahoo',
    type: 'security',
    currency: 'USD',
    collectedAt: FIRST_DAY + days * DAY,
    timestamps: Float64Array.from({ length: days }, (_, row) => firstDay + row * DAY),
    columns,
  }
}

const cents = (price: number): number => Math.max(0.01, Math.round(price * 100) / 100)
