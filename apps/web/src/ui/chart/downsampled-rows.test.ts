import fc from 'fast-check'
import { expect, it } from 'vitest'
import { downsampledRows } from './downsampled-rows.ts'

const column = (rowCount: number) =>
  fc.array(fc.option(fc.double({ noNaN: true })), { minLength: rowCount, maxLength: rowCount })
const known = (values: readonly (number | null | undefined)[]) => values.filter((value) => typeof value === 'number')

it('keeps the first and last row and every extreme, in order and without doubles', () => {
  const cases = fc.integer({ min: 1, max: 400 }).chain((rowCount) => fc.tuple(column(rowCount), column(rowCount)))
  fc.assert(
    fc.property(cases, fc.integer({ min: 12, max: 100 }), ([a, b], most) => {
      const rows = downsampledRows([a, b], a.length, most)
      expect(rows).toEqual([...new Set(rows)].sort((x, y) => x - y))
      expect([rows[0], rows.at(-1)]).toEqual([0, a.length - 1])
      expect(rows.length).toBeLessThanOrEqual(Math.max(most + 1, 0))
      for (const values of [a, b]) {
        const drawn = known(rows.map((row) => values[row]))
        if (drawn.length === 0) continue
        expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([
          Math.min(...known(values)),
          Math.max(...known(values)),
        ])
      }
    }),
  )
})

it('draws every row of a short column, and equally many of each stretch of a long one', () => {
  expect(downsampledRows([[5, 6, 7]], 3, 3)).toEqual([0, 1, 2])
  const long = Array.from({ length: 100_000 }, (_, row) => Math.sin(row / 999))
  const rows = downsampledRows([long], long.length, 4_000)
  const perTenth = Array.from(
    { length: 10 },
    (_, tenth) => rows.filter((row) => Math.floor(row / 10_000) === tenth).length,
  )
  expect(Math.max(...perTenth) - Math.min(...perTenth)).toBeLessThanOrEqual(1)
})
