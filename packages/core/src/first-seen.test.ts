import { expect, it } from 'vitest'
import { firstSeen } from './first-seen.ts'

it('knows each key once, and a bounded number of them', () => {
  const isFirst = firstSeen(2)
  expect(['a', 'a', 'b', 'b', 'c', 'c', 'a'].map(isFirst)).toEqual([true, false, true, false, true, false, true])
})
