import { describe, expect, it } from 'vitest'
import { rulesExamples } from './examples.ts'
import { defaultRange, rangeValues, treeNumbers, withNumbers } from './numbers.ts'
import type { RulesTree } from './tree.ts'

const treeOf = (key: string): RulesTree => rulesExamples.find((one) => one.key === key)!.tree
const nameOf = (key: string) => key.toUpperCase()

describe('numbers of a tree', () => {
  it.each(rulesExamples)('of $key have names of their own and are found by their paths', ({ tree }) => {
    const numbers = treeNumbers(tree, nameOf)
    expect(new Set(numbers.map(({ label }) => label)).size).toBe(numbers.length)
    const changed = withNumbers(
      tree,
      numbers.map(({ path }, i) => [path, 1000 + i] as const),
    )
    const again = new Map(treeNumbers(changed, nameOf).map(({ path, value }) => [path, value]))
    numbers.forEach(({ path }, i) => expect(again.get(path), path).toBe(1000 + i))
    expect(
      withNumbers(
        changed,
        numbers.map(({ path, value }) => [path, value] as const),
      ),
    ).toEqual(tree)
  })

  it('leave out the close, which is written as an average of one bar', () => {
    const tree = treeOf('leveraged-trend') ?? rulesExamples[0]!.tree
    expect(treeNumbers(tree, nameOf).filter(({ value, label }) => value === 1 && label.includes('SMA'))).toEqual([])
  })

  it('are never found on a way that is not there', () => {
    expect(() => withNumbers(rulesExamples[0]!.tree, [['root.__proto__.x', 1]])).toThrow(RangeError)
  })
})

describe('the range that is offered', () => {
  const around = (value: number, more = {}) => {
    const number = { path: 'x', label: 'x', value, isWhole: true, min: 1, max: 10_000, ...more }
    return rangeValues(defaultRange(number))
  }
  it('has the present value in it, and keeps to the limits', () => {
    expect(around(200)).toEqual([100, 125, 150, 175, 200, 225, 250, 275, 300])
    expect(around(3, { max: 5 })).toEqual([1, 2, 3, 4, 5])
    expect(around(0, { isWhole: false, min: -10 })).toEqual([-4, -3, -2, -1, 0, 1, 2, 3, 4])
    expect(around(0.4, { isWhole: false, min: 0 })).toEqual([0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6])
    expect(around(1)).toEqual([1, 2, 3, 4, 5])
  })
})
