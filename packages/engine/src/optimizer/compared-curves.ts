import type { EpochDay } from '@tradewright/core/time'
import type { SearchData } from './search-data.ts'
import { holdingOver } from './holding.ts'
import type { TradedSignals } from './score.ts'

/** Growth of one dollar with the winner and with holding, at evenly spread bars. Columns are of the same length. */
export interface ComparedCurves {
  readonly days: readonly EpochDay[]
  readonly winner: readonly number[]
  readonly holding: readonly number[]
}

/** Enough for a chart of any width. */
const MAX_POINTS = 240

export function comparedCurves(searchData: SearchData, { growth, bars }: TradedSignals): ComparedCurves {
  return drawnCurves(searchData.prices.days.subarray(bars.from, bars.to), growth, holdingOver(searchData, bars).growth)
}

/** Columns of the same length. */
export function drawnCurves(days: Int32Array, growth: Float64Array, held: Float64Array): ComparedCurves {
  const step = Math.max(1, (growth.length - 1) / (MAX_POINTS - 1))
  const count = Math.min(growth.length, MAX_POINTS)
  const picked = Array.from({ length: count }, (_, i) => Math.round(i * step))
  return {
    days: picked.map((bar) => days[bar]!),
    winner: picked.map((bar) => growth[bar]!),
    holding: picked.map((bar) => held[bar]!),
  }
}
