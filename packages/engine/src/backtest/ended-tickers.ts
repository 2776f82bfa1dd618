import type { EndedTickerChoice } from '@tradewright/core/backtest-settings'
import { type Column, lastAtOrBefore } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { mainCategory } from '@tradewright/core/ticker-kind'
import { dayStamp, type EpochDay, epochDayOf, formatDate } from '@tradewright/core/time'
import { barStamps, calendarOf, nyse } from '../market/trading-calendar.ts'
import type { SeriesTable } from '../market/series.ts'
import type { Allocation } from '../trading/allocation.ts'
import type { PricedSeries } from './priced-series.ts'

interface EndedTickerRule {
  readonly endedTicker: EndedTickerChoice
  /** The ticker for `replace`, in its one spelling. */
  readonly replacementTicker: string | undefined
  /** Percent of the last price by which the ticker still changed after it. */
  readonly delistingReturnPct?: number
}

/** A ticker that ended, and what its part of the account is held in from there; undefined is cash. */
export interface Continuation {
  readonly ticker: string
  readonly lastDay: EpochDay
  readonly heldIn: string | undefined
  /** Percent of the last close that the position gained or, negative, lost beyond it. */
  readonly delistingReturnPct: number
}

/** Fewer sessions without a price may be late data. */
const ENDED_AFTER_SESSIONS = 10

interface TradedSeries extends PricedSeries {
  readonly ticker: string
}

/**
 * The traded series with those that ended carried on, by one rule for backtest, optimizer and live trading: sold at the
 * last close and what it changed by after it, the proceeds stay in cash or in the other ticker, and the price goes on from that close as if it were held.
 * Ended is what lacks sessions that another series of the run has; of a single ticker, sessions of the period itself.
 */
export function continueEnded(
  traded: readonly TradedSeries[],
  replacement: PricedSeries | undefined,
  { endedTicker, replacementTicker, delistingReturnPct = 0 }: EndedTickerRule,
  to: EpochDay,
): { readonly series: readonly PricedSeries[]; readonly continuations: readonly Continuation[] } {
  if (endedTicker === 'stop') return { series: traded, continuations: [] }
  const continuations: Continuation[] = []
  const series = traded.map((one) => {
    const others = [...traded.filter((other) => other !== one), ...(replacement ? [replacement] : [])]
    const lastDay = endOf(one, others, to)
    if (lastDay === undefined) return one
    const heldIn = endedTicker === 'replace' ? replacementTicker : undefined
    continuations.push({ ticker: one.ticker, lastDay, heldIn, delistingReturnPct })
    const final = 1 + delistingReturnPct / 100
    const stamps = stampsAfter(one.table, others, to)
    return heldIn === undefined || !replacement
      ? inCash(one, stamps, final)
      : inReplacement(one, replacement, heldIn, final)
  })
  return { series, continuations }
}

/** The last day of a ticker that ended; undefined where it goes on. */
function endOf({ table }: TradedSeries, others: readonly PricedSeries[], to: EpochDay): EpochDay | undefined {
  const calendar = calendarOf(table.type)
  const last = table.timestamps.at(-1)
  if (!calendar || last === undefined) return undefined
  const lastDay = epochDayOf(last)
  const end = others.length === 0 ? to : Math.min(to, Math.max(...others.map(lastDayOf)))
  return calendar.sessionsBetween(lastDay + 1, end + 1).length > ENDED_AFTER_SESSIONS ? lastDay : undefined
}

const lastDayOf = ({ table }: PricedSeries): EpochDay => epochDayOf(table.timestamps.at(-1) ?? 0)

/** Bars after the end: those that the others have, else the sessions of the period. */
function stampsAfter(table: SeriesTable, others: readonly PricedSeries[], to: EpochDay): Float64Array {
  const last = table.timestamps.at(-1)!
  const known = new Set<number>()
  for (const other of others) for (const stamp of other.table.timestamps) if (stamp > last) known.add(stamp)
  if (known.size > 0) return Float64Array.from(known).sort()
  const calendar = calendarOf(table.type) ?? nyse
  const days = [...calendar.sessionsBetween(epochDayOf(last) + 1, to + 1)]
  if (table.granularity === '1d') return Float64Array.from(days, dayStamp)
  return Float64Array.from(days.flatMap((day) => Array.from(barStamps(calendar, day, table.granularity))))
}

function inCash(ended: TradedSeries, stamps: Float64Array, final: number): PricedSeries {
  const flat = new Float64Array(stamps.length).fill(closeOf(ended.table).at(-1)! * final)
  return joined(ended, { timestamps: stamps, open: flat, close: flat }, [])
}

/** Nothing is bought at a price of zero, so that a total loss leaves a price that later purchases can be made at. */
const TOTAL_LOSS = 1e-12

function inReplacement(ended: TradedSeries, by: PricedSeries, name: string, final: number): PricedSeries {
  const last = ended.table.timestamps.at(-1)!
  const row = lastAtOrBefore(by.table.timestamps, last)
  const close = closeOf(by.table)
  if (row < 0 || !(close[row]! > 0)) {
    const day = formatDate(epochDayOf(last))
    throw new Problem(
      'invalid',
      'backtest.replacement',
      `${ended.ticker} ends on ${day}, but ${name}, which is to replace it, has no price by then.`,
    )
  }
  const factor = Math.max(closeOf(ended.table).at(-1)! * final, TOTAL_LOSS) / close[row]!
  const scaled = (column: Column) => column.subarray(row + 1).map((price) => price * factor)
  const dividends = by.dividends
    .filter(({ exDay }) => exDay > epochDayOf(last))
    .map(({ exDay, amount }) => ({ exDay, amount: amount * factor }))
  const open = by.table.columns['open']
  return joined(
    ended,
    { timestamps: by.table.timestamps.subarray(row + 1), close: scaled(close), open: open && scaled(open) },
    dividends,
  )
}

const closeOf = ({ columns, type }: SeriesTable): Column => columns[mainCategory(type)]!

interface Tail {
  readonly timestamps: Float64Array
  readonly close: Column
  readonly open: Column | undefined
}

function joined(ended: TradedSeries, tail: Tail, dividends: PricedSeries['dividends']): PricedSeries {
  const { table } = ended
  const length = table.timestamps.length + tail.timestamps.length
  const append = (head: Column, rest: Column | undefined) => {
    const column = new Float64Array(length).fill(Number.NaN)
    column.set(head)
    if (rest) column.set(rest, head.length)
    return column
  }
  const main = mainCategory(table.type)
  const columns = {
    [main]: append(table.columns[main]!, tail.close),
    ...(table.columns['open'] && { open: append(table.columns['open'], tail.open) }),
  }
  const timestamps = append(table.timestamps, tail.timestamps)
  const { knownAt: _, ...rest } = table
  return { table: { ...rest, timestamps, columns }, dividends: [...ended.dividends, ...dividends] }
}

/** The same for target percentages of a live decision. */
export function continueAllocation(allocation: Allocation, continuations: readonly Continuation[]): Allocation {
  if (continuations.length === 0) return allocation
  const heldIn = new Map(continuations.map((one) => [one.ticker, one.heldIn]))
  const percentages = new Map<string, number>()
  for (const [ticker, pct] of allocation) {
    const holds = heldIn.has(ticker) ? heldIn.get(ticker) : ticker
    if (holds !== undefined) percentages.set(holds, (percentages.get(holds) ?? 0) + pct)
  }
  return percentages
}

export function continuationNote({ ticker, lastDay, heldIn, delistingReturnPct }: Continuation): string {
  const value = finalValueWords(delistingReturnPct)
  return heldIn === undefined
    ? `${ticker} has no prices after ${formatDate(lastDay)}: its part is held in cash from then on, at ${value}.`
    : `${ticker} has no prices after ${formatDate(lastDay)}: its part is held in ${heldIn} from there, bought for ${value}, ` +
        `and trades of ${heldIn} are listed under ${ticker}.`
}

function finalValueWords(delistingReturnPct: number): string {
  if (delistingReturnPct === 0) return 'its last close'
  if (delistingReturnPct === -100) return 'nothing: its final value is set to zero'
  const change = `${Math.abs(delistingReturnPct)} % ${delistingReturnPct < 0 ? 'below' : 'above'}`
  return `${change} its last close, the final value that was set`
}
