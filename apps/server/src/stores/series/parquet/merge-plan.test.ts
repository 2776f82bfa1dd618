import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LakeFile } from './lake-file.ts'
import { planMerge, MAX_FILE_ROWS } from './lake-writer.ts'

const file = (path: string, rows: number): LakeFile => ({
  path,
  rows,
  layer: 'gold',
  partition: '',
  bytes: 0,
  checksum: 'crc32:00000000',
  segments: [],
})

/** Plays writes of so many rows each, as the store would, and counts how many rows were written in all. */
function play(sizes: readonly number[]): { files: LakeFile[]; written: number } {
  let files: LakeFile[] = []
  let written = 0
  sizes.forEach((fresh, index) => {
    const merged = new Set(planMerge(files, new Set(), fresh).together)
    const rows = [...merged].reduce((sum, one) => sum + one.rows, fresh)
    written += rows
    files = [...files.filter((one) => !merged.has(one)), file(String(index), rows)]
  })
  return { files, written }
}

describe('merging files', () => {
  it('keeps their number small, however many writes there are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 400 }), (sizes) => {
        const { files } = play(sizes)
        const full = files.filter(({ rows }) => rows > MAX_FILE_ROWS / 4)
        expect(files.length - full.length).toBeLessThanOrEqual(18)
      }),
    )
  })

  it('writes each record a few times only', () => {
    const sizes = Array.from({ length: 2_000 }, () => 1_000)
    expect(play(sizes).written / 2_000_000).toBeLessThan(8)
  })

  it('writes a file anew that loses rows, and leaves the others', () => {
    const files = [file('a', 1_500_000), file('b', 1_900_000)]
    expect(planMerge(files, new Set(['a']), 10)).toEqual({ together: [], alone: [files[0]] })
    expect(planMerge(files, new Set(), 10)).toEqual({ together: [], alone: [] })
  })

  it('keeps new records out of a large file that loses rows, so that their correction rewrites a small one', () => {
    const [large, small] = [file('a', 1_500_000), file('b', 500)]
    expect(planMerge([large, small], new Set(['a', 'b']), 100)).toEqual({ together: [small], alone: [large] })
    expect(planMerge([small], new Set(['b']), 0)).toEqual({ together: [small], alone: [] })
  })
})
