import { type Category, signOf } from '@tradewright/core/category'
import { Problem } from '@tradewright/core/problem'
import { mainCategory } from '@tradewright/core/ticker-kind'
import { DAY, epochDayOf, formatDate } from '@tradewright/core/time'
import type { RefusalReason, RefusedRow } from '../refused-row.ts'
import type { SeriesBlock } from '../series.ts'
import { takeRows } from './rows.ts'

const PRICES: ReadonlySet<Category> = new Set(['price', 'open', 'high', 'low', 'close'])

type Fault = Pick<RefusedRow, 'reason' | 'category' | 'value'>

/** A bar at float32 precision may have its high a hair below its low. */
const PRICE_TOLERANCE = 1e-6

/** A share whose last prices are zero is worthless once they are this old: a newer zero may be a row that was cut short. */
const FINAL_AFTER_DAYS = 14

/**
 * Rows that cannot be true: a price that is no number, zero or negative, a high below the low, a stamp that repeats or
 * runs backwards. Futures may cost less than nothing, and a share nothing at its end. A cell that is NaN beside a good
 * main value is a gap, which is normal. Stops after `limit` of them.
 */
export const findImpossibleRows = (block: SeriesBlock, limit = Number.POSITIVE_INFINITY): RefusedRow[] =>
  impossibleRows(block, limit, finalZeros(block))

/** `zeroFrom`: the row from which on prices may be zero. */
function impossibleRows(block: SeriesBlock, limit: number, zeroFrom: number): RefusedRow[] {
  const refused: RefusedRow[] = []
  const findFault = rowCheck(block, zeroFrom)
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

/** The first of the rows at the end of a block that say a share is worth nothing; their number where there are none. */
function finalZeros({ columns, timestamps, collectedAt }: SeriesBlock): number {
  const close = columns['close'] ?? columns['price']
  const rows = timestamps.length
  if (!close || !(timestamps[rows - 1]! < collectedAt - FINAL_AFTER_DAYS * DAY)) return rows
  return close.findLastIndex((price) => price !== 0) + 1
}

function rowCheck({ type, columns }: SeriesBlock, zeroFrom: number): (row: number) => Fault | undefined {
  const main = mainCategory(type)
  const checks = Object.entries(columns).map(([category, column]) => ({
    category,
    column,
    fault: valueFault(category, category === main),
    mayBeZero: PRICES.has(category),
    mayBeNegative: PRICES.has(category) && type === 'future',
  }))
  const { high, low } = columns
  return (row) => {
    let hasValue = false
    for (const { category, column, fault, mayBeZero, mayBeNegative } of checks) {
      const value = column[row]!
      const isReal = (mayBeNegative && value <= 0) || (mayBeZero && value === 0 && row >= zeroFrom)
      const reason = isReal && Number.isFinite(value) ? undefined : fault(value)
      if (reason) return { reason, category, value }
      hasValue ||= !Number.isNaN(value)
    }
    if (!hasValue) return { reason: 'not-a-number' }
    if (high && low && high[row]! < low[row]! - PRICE_TOLERANCE * Math.abs(low[row]!)) {
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
  // A store gets parts of a series: whether a zero is its last price was decided when the rows came in.
  const [first] = impossibleRows(block, 1, 0)
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

/** Refused rows of one ticker as one provider sent them: how many, and the first few. */
export interface LeftOut {
  readonly provider: string
  readonly ticker: string
  readonly count: number
  readonly first: readonly RefusedRow[]
}

const SHOWN_ROWS = 3

/** `known` with more of them, by provider and ticker. */
export function addLeftOut(known: readonly LeftOut[], rows: readonly RefusedRow[]): readonly LeftOut[] {
  const all = new Map(known.map((one) => [`${one.provider} ${one.ticker}`, one]))
  for (const [key, group] of Map.groupBy(rows, ({ provider, ticker }) => `${provider} ${ticker}`)) {
    const { provider, ticker } = group[0]!
    const { count = 0, first = [] } = all.get(key) ?? {}
    const shown = [...first, ...group.slice(0, SHOWN_ROWS)].slice(0, SHOWN_ROWS)
    all.set(key, { provider, ticker, count: count + group.length, first: shown })
  }
  return [...all.values()]
}

/** `Yahoo Finance sent 2 rows of SPY that cannot be true, which are left out: 2024-01-03 repeats the timestamp before it.` */
export function leftOutSentence({ ticker, count, first }: LeftOut, provider: string): string {
  const rows = first.map(({ timestamp, category, value, reason }) => {
    const what = category === undefined ? '' : ` ${category}${value === undefined ? '' : ` ${value}`}`
    return `${Number.isFinite(timestamp) ? formatDate(epochDayOf(timestamp)) : 'a row without a time'}${what} ${SENTENCES[reason]}`
  })
  const more = count > first.length ? ', and others' : ''
  const many = count === 1 ? 'a row' : `${count.toLocaleString('en-US')} rows`
  return `${provider} sent ${many} of ${ticker} that cannot be true, which ${count === 1 ? 'is' : 'are'} left out: ${rows.join(', ')}${more}.`
}

export function describeRefusal({ provider, ticker, row, reason, category, value }: RefusedRow): string {
  const what = category === undefined ? '' : ` ${category}${value === undefined ? '' : ` ${value}`}`
  return `Impossible data from ${provider} for ${ticker}, row ${row}:${what} ${SENTENCES[reason]}.`
}
