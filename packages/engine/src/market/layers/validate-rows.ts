import { type Category, signOf } from '@tradewright/core/category'
import { Problem } from '@tradewright/core/problem'
import { mainCategory } from '@tradewright/core/ticker-kind'
import type { RefusalReason, RefusedRow } from '../refused-row.ts'
import type { SeriesBlock } from '../series.ts'
import { takeRows } from './rows.ts'

type Fault = Pick<RefusedRow, 'reason' | 'category' | 'value'>

/** A bar at float32 precision may have its high a hair below its low. */
const PRICE_TOLERANCE = 1e-6

/**
 * Rows that cannot be true: a price that is no number, zero or negative, a high below the low, a stamp that repeats or
 * runs backwards. A cell that is NaN beside a good main value is a gap, which is normal. Stops after `limit` of them.
 */
export function findImpossibleRows(block: SeriesBlock, limit = Number.POSITIVE_INFINITY): RefusedRow[] {
  const refused: RefusedRow[] = []
  const findFault = rowCheck(block)
  let newest = Number.NEGATIVE_INFINITY
  for (let row = 0; row < block.timestamps.length && refused.length < limit; row++) {
    const timestamp = block.timestamps[row]!
    const fault = stampFault(timestamp, newest) ?? findFault(row)
    if (fault) refused.push({ provider: block.provider, ticker: block.ticker, row, timestamp, ...fault })
    else newest = timestamp
  }
  return refused
}

function stampFault(timestamp: number, newest: number): Fault | undefined {
  if (!Number.isFinite(timestamp)) return { reason: 'not-a-number' }
  if (timestamp > newest) return undefined
  return { reason: timestamp === newest ? 'duplicate-timestamp' : 'time-runs-backwards' }
}

function rowCheck({ type, columns }: SeriesBlock): (row: number) => Fault | undefined {
  const main = mainCategory(type)
  const checks = Object.entries(columns).map(([category, column]) => ({
    category,
    column,
    fault: valueFault(category, category === main),
  }))
  const { high, low } = columns
  return (row) => {
    let hasValue = false
    for (const { category, column, fault } of checks) {
      const value = column[row]!
      const reason = fault(value)
      if (reason) return { reason, category, value }
      hasValue ||= !Number.isNaN(value)
    }
    if (!hasValue) return { reason: 'not-a-number' }
    if (high && low && high[row]! < low[row]! * (1 - PRICE_TOLERANCE)) {
      return { reason: 'bar-contradicts-itself', category: 'high', value: high[row]! }
    }
    return undefined
  }
}

function valueFault(category: Category, isRequired: boolean): (value: number) => RefusalReason | undefined {
  const sign = signOf(category)
  return (value) => {
    if (Number.isNaN(value)) return isRequired ? 'not-a-number' : undefined
    if (!Number.isFinite(value)) return 'not-a-number'
    if (sign === 'positive' && value <= 0) return 'zero-or-negative'
    return sign === 'not-negative' && value < 0 ? 'negative' : undefined
  }
}

/** Lets the possible rows in and names the others. */
export function refuseImpossibleRows(block: SeriesBlock): { accepted: SeriesBlock; refused: RefusedRow[] } {
  const refused = findImpossibleRows(block)
  if (refused.length === 0) return { accepted: block, refused }
  const bad = new Set(refused.map(({ row }) => row))
  const good: number[] = []
  for (let row = 0; row < block.timestamps.length; row++) if (!bad.has(row)) good.push(row)
  return { accepted: takeRows(block, good), refused }
}

/** Validation before the store: data that should have been cleaned before is refused as a whole. */
export function assertPossible(block: SeriesBlock): void {
  const [first] = findImpossibleRows(block, 1)
  if (first) throw new Problem('invalid', 'market.impossible-data', describeRefusal(first))
}

const SENTENCES = {
  'not-a-number': 'is not a number',
  'zero-or-negative': 'is zero or negative',
  negative: 'is negative',
  'time-runs-backwards': 'runs backwards in time',
  'duplicate-timestamp': 'repeats the timestamp before it',
  'bar-contradicts-itself': 'is below the low of the same bar',
} as const satisfies Record<RefusalReason, string>

export function describeRefusal({ provider, ticker, row, reason, category, value }: RefusedRow): string {
  const what = category === undefined ? '' : ` ${category}${value === undefined ? '' : ` ${value}`}`
  return `Impossible data from ${provider} for ${ticker}, row ${row}:${what} ${SENTENCES[reason]}.`
}
