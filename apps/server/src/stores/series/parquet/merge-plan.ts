import type { LakeFile } from './lake-file.ts'

/** Files grow by merging up to this size and are then left alone: a correction rewrites one of them in seconds. */
export const MAX_FILE_ROWS = 2_000_000
const SMALLEST_TIER_ROWS = 8_192
/** A tier is four times the one below, and so many files of one tier become one of the next. */
const TIER_FACTOR = 4

const tierOf = (rows: number): number =>
  Math.max(0, Math.ceil(Math.log(rows / SMALLEST_TIER_ROWS) / Math.log(TIER_FACTOR)))

/**
 * Which files of a partition are written anew together with `freshRows` new records: those that lose rows, and as many
 * small neighbours as would otherwise pile up. Each record is so rewritten a few times in its life, and a partition
 * has at most a few files per tier.
 */
export function filesToMerge(files: readonly LakeFile[], losing: ReadonlySet<string>, freshRows: number): LakeFile[] {
  const chosen = new Set(files.filter(({ path }) => losing.has(path)))
  let rows = freshRows + [...chosen].reduce((sum, file) => sum + file.rows, 0)
  for (;;) {
    const tier = tierOf(rows)
    const small = files.filter((file) => !chosen.has(file) && tierOf(file.rows) <= tier)
    const together = small.reduce((sum, file) => sum + file.rows, rows)
    if (rows === 0 || small.length < TIER_FACTOR - 1 || together > MAX_FILE_ROWS) return [...chosen]
    for (const file of small) chosen.add(file)
    rows = together
  }
}
