import type { LakeFile } from './lake-file.ts'

/** Files grow by merging up to this size and are then left alone: a correction rewrites one of them in seconds. */
export const MAX_FILE_ROWS = 2_000_000
const SMALLEST_TIER_ROWS = 8_192
/** A tier is four times the one below, and so many files of one tier become one of the next. */
const TIER_FACTOR = 4

const tierOf = (rows: number): number =>
  Math.max(0, Math.ceil(Math.log(rows / SMALLEST_TIER_ROWS) / Math.log(TIER_FACTOR)))

/** What a change of a partition writes anew. */
interface MergePlan {
  /** Files that become one with the new records. */
  readonly together: LakeFile[]
  /** Larger files that lose rows: each is written anew without them. */
  readonly alone: LakeFile[]
}

/**
 * Which files of a partition are written anew with `freshRows` new records: those that lose rows, and as many small
 * neighbours as would otherwise pile up. Each record is so rewritten a few times in its life, and a partition has at
 * most a few files per tier. New records do not go into a large file that loses rows: the corrections of newest records,
 * which are the most frequent, would then rewrite it every day.
 */
export function planMerge(files: readonly LakeFile[], losing: ReadonlySet<string>, freshRows: number): MergePlan {
  const chosen = new Set(files.filter(({ path, rows }) => losing.has(path) && tierOf(rows) <= tierOf(freshRows)))
  let rows = freshRows + [...chosen].reduce((sum, file) => sum + file.rows, 0)
  for (;;) {
    const tier = tierOf(rows)
    const small = files.filter((file) => !chosen.has(file) && tierOf(file.rows) <= tier)
    const together = small.reduce((sum, file) => sum + file.rows, rows)
    if (rows === 0 || small.length < TIER_FACTOR - 1 || together > MAX_FILE_ROWS) break
    for (const file of small) chosen.add(file)
    rows = together
  }
  return { together: [...chosen], alone: files.filter((file) => losing.has(file.path) && !chosen.has(file)) }
}
