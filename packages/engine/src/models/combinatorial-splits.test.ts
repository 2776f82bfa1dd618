import fc from 'fast-check'
import { expect, it } from 'vitest'
import { combinatorialPaths, combinatorialSplits } from './splits.ts'

const rowsOf = (count: number) => Int32Array.from({ length: count }, (_, row) => row)

/** The book's own counts: 6 groups of which 2 are tested give 15 splits and 5 paths; 10 and 2 give 45 and 9. */
it.each([
  [6, 2, 15, 5],
  [10, 2, 45, 9],
  [4, 1, 4, 1],
  [8, 3, 56, 21],
])('%i groups, %i tested: %i splits and %i paths', (groups, testGroups, splitCount, pathCount) => {
  const splits = combinatorialSplits(rowsOf(240), { groups, testGroups, horizon: 1, embargo: 2 })
  expect(splits).toHaveLength(splitCount)
  const paths = combinatorialPaths(splits, groups)
  expect(paths).toHaveLength(pathCount)
  // Every prediction of every split is used once.
  const used = paths.flatMap((path) => path.map((split, group) => `${split} ${group}`))
  expect(new Set(used).size).toBe(splitCount * testGroups)
  paths.forEach((path) => path.forEach((split, group) => expect(splits[split]!.testGroups).toContain(group)))
})

it('assigns the splits of the book: the first path is tested by the first split of each group', () => {
  const splits = combinatorialSplits(rowsOf(60), { groups: 6, testGroups: 2, horizon: 0, embargo: 0 })
  expect(splits.slice(0, 4).map(({ testGroups }) => testGroups)).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
    [0, 3],
  ])
  expect(combinatorialPaths(splits, 6)[0]).toEqual([0, 0, 1, 3, 6, 10])
})

it('never learns from a label that overlaps a test bar or its label, nor within the embargo', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 30, maxLength: 90 })
  const rules = fc.record({
    groups: fc.integer({ min: 3, max: 7 }),
    testGroups: fc.integer({ min: 1, max: 2 }),
    horizon: fc.integer({ min: 0, max: 9 }),
    embargo: fc.integer({ min: 0, max: 6 }),
  })
  fc.assert(
    fc.property(gaps, rules, (steps, rule) => {
      let bar = 0
      const bars = Int32Array.from(steps, (step) => (bar += step))
      for (const { train, test } of combinatorialSplits(bars, rule)) {
        const tested = Array.from(test, (row) => bars[row]!)
        for (const row of train) {
          const [first, last] = [bars[row]!, bars[row]! + rule.horizon]
          expect(tested.some((one) => first <= one + rule.horizon && last >= one)).toBe(false)
          expect(tested.some((one) => first > one && first <= one + rule.horizon + rule.embargo)).toBe(false)
        }
        expect(new Set([...train, ...test]).size).toBe(train.length + test.length)
      }
    }),
    { numRuns: 60 },
  )
})
