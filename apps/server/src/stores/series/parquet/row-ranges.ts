import { recordsIn } from './catalogue.ts'
import type { Segment } from './lake-file.ts'
import { type LakeReader, readRuns } from './read-runs.ts'
import { isInside, narrowFiles, type Selection, wantedSegments } from './selection.ts'

/** The rows of a segment that a selection takes, which lie one behind the other. */
export interface RowRange {
  readonly segment: Segment
  readonly rows: number
  readonly first: number
  readonly last: number
}

/** Above this, reading the rows takes longer than to count all there are. */
const MAX_ROWS_READ = 500_000

/**
 * The part of every segment in a range. Series of one market mostly have the same stamps, which the catalogue knows, so
 * that one of them tells where the range cuts all of them. Undefined where there are too many different ones.
 */
export async function rowRangesOf(reader: LakeReader, wide: Selection): Promise<RowRange[] | undefined> {
  const selection = narrowFiles(wide)
  const wanted = wantedSegments(selection)
  const cut = wanted.filter((segment) => !isInside(segment, selection.range))
  if (cut.some(({ stamps }) => stamps === 0)) return undefined
  const alike = Map.groupBy(cut, keyOfStamps)
  const examples = Array.from(alike.values(), ([example]) => example!)
  if (recordsIn(examples) > Math.min(MAX_ROWS_READ, recordsIn(cut) / 4)) return undefined
  const taken = await takenOf(reader, selection, examples)
  return wanted.flatMap((segment) => {
    const { rows, first, last } = segment
    const part = isInside(segment, selection.range) ? { rows, first, last } : taken.get(keyOfStamps(segment))
    return part ? [{ ...part, segment }] : []
  })
}

const keyOfStamps = ({ stamps, rows, first, last }: Segment): string => [stamps, rows, first, last].join(' ')

async function takenOf(
  reader: LakeReader,
  selection: Selection,
  examples: readonly Segment[],
): Promise<Map<string, Omit<RowRange, 'segment'>>> {
  const taken = new Map<string, Omit<RowRange, 'segment'>>()
  if (examples.length === 0) return taken
  // Every segment has words of its own, so these very objects tell them apart.
  const byWords = new Map(examples.map((segment) => [segment.words, segment]))
  const runs = await readRuns(reader, { ...selection, search: undefined, isWanted: (words) => byWords.has(words) })
  for (const { words, column } of runs) {
    const { timestamps } = column
    const key = keyOfStamps(byWords.get(words)!)
    const before = taken.get(key)
    taken.set(key, {
      rows: timestamps.length + (before?.rows ?? 0),
      first: Math.min(timestamps[0]!, before?.first ?? Infinity),
      last: Math.max(timestamps.at(-1)!, before?.last ?? -Infinity),
    })
  }
  return taken
}
