import { dayStamp, type EpochDay, epochDayOf } from '@tradewright/core/time'
import { lowerBound } from '@tradewright/core/column'
import { type CorporateActions, noActions } from './corporate-actions.ts'
import { sliceRows } from './layers/rows.ts'
import type { SeriesTable } from './series.ts'

/** A ticker that took the place of another one, by a change of symbol or a merger. Plain data. */
export interface TickerSuccessor {
  readonly from: string
  readonly to: string
  /** The first day of the new ticker, as the broker booked it. */
  readonly day: EpochDay
  /** New shares for each old one: 1 for a change of symbol. */
  readonly perShare: number
  /** Dollars beside them. */
  readonly cashPerShare: number
  /** The same security under another name, so that its prices are the same before the change, too. */
  readonly isRename: boolean
  /** The broker took the change from `to` to `from` back. */
  readonly isTakenBack?: boolean
}

/** One that was taken back counts no longer. */
export function withSuccessor(known: readonly TickerSuccessor[], next: TickerSuccessor): TickerSuccessor[] {
  const undone = next.isTakenBack ? known.findLastIndex(({ from, to }) => from === next.to && to === next.from) : -1
  return undone < 0 ? [...known, next] : known.toSpliced(undone, 1)
}

/** The names of one ticker over time, its own first. */
export function namesOf(symbol: string, successors: readonly TickerSuccessor[]): string[] {
  const names = [symbol]
  for (const { from, to } of successors) if (from === names.at(-1)) names.push(to)
  return names
}

interface Known {
  readonly series: ReadonlyMap<string, SeriesTable>
  readonly actions: ReadonlyMap<string, CorporateActions>
}

interface Continued {
  readonly table: SeriesTable | undefined
  /** The actions of bars within the day, whose rows do not hold them; undefined for daily rows. */
  readonly actions: CorporateActions | undefined
}

/** The series of a ticker under all its names. */
export function continuedSeries(symbol: string, successors: readonly TickerSuccessor[], known: Known): Continued {
  const own = { table: known.series.get(symbol), actions: known.actions.get(symbol) }
  const i = successors.findIndex(({ from }) => from === symbol)
  const successor = successors[i]
  if (!successor) return own
  const next = continuedSeries(successor.to, successors.slice(i + 1), known)
  return joined(own, next, successor)
}

/** A broker may book a change before the first session of the new ticker. */
const MAX_DAYS_BEFORE = 5

/**
 * The old ticker's rows until the change, and the new one's from then on, as they were traded. What each old share became is
 * a split of that day, and money beside it a dividend, so that no return is made up at the joint.
 */
function joined(old: Continued, next: Continued, successor: TickerSuccessor): Continued {
  const { table: before } = old
  const { table: after } = next
  if (!after || after.timestamps.length === 0) return old
  if (!before || before.timestamps.length === 0) {
    return successor.isRename ? { ...next, table: { ...after, ticker: successor.from } } : old
  }
  if (before.currency !== after.currency || before.granularity !== after.granularity) return old
  const joint = jointOf(after, successor)
  const left = sliceRows(before, 0, lowerBound(before.timestamps, dayStamp(joint)))
  const last = left.timestamps.at(-1)
  // The provider may have dropped the old name some days before the change: of a rename the new one has these days, too.
  const start = successor.isRename && last !== undefined ? last + 1 : dayStamp(joint)
  const right = sliceRows(after, lowerBound(after.timestamps, start), after.timestamps.length)
  const isDaily = before.granularity === '1d'
  const table = { ...before, ...stacked(left, right), sources: sourcesOf(left, right) }
  return {
    table: isDaily ? withExchange(table, joint, successor) : table,
    actions: isDaily ? old.actions : joinedActions(old.actions, next.actions, joint, successor),
  }
}

function jointOf({ timestamps }: SeriesTable, { day }: TickerSuccessor): EpochDay {
  const first = epochDayOf(timestamps[0]!)
  return first > day && first <= day + MAX_DAYS_BEFORE ? first : day
}

const sourcesOf = (left: SeriesTable, right: SeriesTable) => [
  ...(left.timestamps.length > 0 ? left.sources : []),
  ...(right.timestamps.length > 0 ? right.sources : []),
]

function stacked(left: SeriesTable, right: SeriesTable): Pick<SeriesTable, 'timestamps' | 'columns'> {
  const rows = left.timestamps.length + right.timestamps.length
  const stack = (first: ArrayLike<number> | undefined, second: ArrayLike<number> | undefined) => {
    const column = new Float64Array(rows).fill(Number.NaN)
    if (first) column.set(first)
    if (second) column.set(second, left.timestamps.length)
    return column
  }
  const names = new Set([...Object.keys(left.columns), ...Object.keys(right.columns)])
  return {
    timestamps: stack(left.timestamps, right.timestamps),
    columns: Object.fromEntries([...names].map((name) => [name, stack(left.columns[name], right.columns[name])])),
  }
}

function withExchange(table: SeriesTable, joint: EpochDay, { perShare, cashPerShare }: TickerSuccessor): SeriesTable {
  const row = lowerBound(table.timestamps, dayStamp(joint))
  if (row === 0 || row >= table.timestamps.length) return table
  const changed = (name: string, value: number) => {
    const column = Float64Array.from(table.columns[name] ?? new Float64Array(table.timestamps.length).fill(Number.NaN))
    column[row] = value
    return { [name]: column }
  }
  return {
    ...table,
    columns: {
      ...table.columns,
      ...(perShare !== 1 && changed('split', perShare)),
      ...(cashPerShare > 0 && changed('dividend', cashPerShare / perShare)),
    },
  }
}

function joinedActions(
  old: CorporateActions | undefined,
  next: CorporateActions | undefined,
  joint: EpochDay,
  { perShare, cashPerShare }: TickerSuccessor,
): CorporateActions {
  const [before, after] = [old ?? noActions, next ?? noActions]
  const join = <Action extends { exDay: EpochDay }>(
    first: readonly Action[],
    second: readonly Action[],
    own: readonly Action[],
  ) => [
    ...first.filter(({ exDay }) => exDay < joint),
    ...own,
    ...second.filter(({ exDay }) => exDay > joint || (exDay === joint && own.length === 0)),
  ]
  const exchange = perShare === 1 ? [] : [{ exDay: joint, ratio: perShare }]
  const paid = cashPerShare > 0 ? [{ exDay: joint, amount: cashPerShare / perShare }] : []
  return {
    splits: join(before.splits, after.splits, exchange),
    dividends: join(before.dividends, after.dividends, paid),
  }
}
