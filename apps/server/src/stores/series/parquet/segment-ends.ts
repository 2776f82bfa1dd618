import type { Segment } from './lake-file.ts'
import type { Selection } from './selection.ts'
import type { SortField, SortKey } from './sort-order.ts'
import type { RowRange } from './row-ranges.ts'

/**
 * A page by time that lies within the newest (or oldest) stamp: most series of a store end on the same day. Which
 * series have a record there, and in which order they come, is known, so that only the page itself need be read.
 * Undefined where the page reaches beyond that stamp.
 */
export function selectEnds(
  selection: Selection,
  ranges: readonly RowRange[],
  [first, ...ties]: readonly SortKey[],
  { skip, take }: { readonly skip: number; readonly take: number },
): Selection | undefined {
  if (first?.field !== 'timestamp') return undefined
  const end = first.isDescending ? 'last' : 'first'
  const stamp = ranges.reduce(
    (found, one) => (first.isDescending ? Math.max(found, one[end]) : Math.min(found, one[end])),
    first.isDescending ? -Infinity : Infinity,
  )
  const ending = ranges.filter((one) => one[end] === stamp).map(({ segment }) => segment)
  if (ending.length < skip + take) return undefined
  const onPage = ending.sort((a, b) => compareSegments(ties, a, b)).slice(skip, skip + take)
  // No other segment has a record of the same key at this stamp, so these very objects tell them apart.
  const words = new Set(onPage.map((segment) => segment.words))
  return {
    ...selection,
    isWanted: (one) => words.has(one),
    search: undefined,
    range: { from: stamp, to: stamp + 1 },
  }
}

function compareSegments(ties: readonly SortKey[], a: Segment, b: Segment): number {
  for (const { field, isDescending } of ties) {
    const [left, right] = [wordOf(a, field), wordOf(b, field)]
    if (left !== right) return left < right === isDescending ? 1 : -1
  }
  return 0
}

/** After the timestamp, all ties are broken by words. */
const wordOf = ({ words }: Segment, field: SortField): string => words[field as keyof typeof words]
