import { expect, it } from 'vitest'
import { z } from 'zod'
import { longList, longListItem } from './long-list.ts'

const Values = longList(z.number().nullable())

it('takes a list whose items are as declared, however long', () => {
  expect(Values.parse([])).toEqual([])
  const many = Array.from({ length: 100_000 }, (_, i) => (i % 7 === 0 ? null : i))
  expect(Values.parse(many)).toBe(many)
})

it('refuses what is no list, and a list of something else', () => {
  expect(Values.safeParse({ length: 1, 0: 1 }).success).toBe(false)
  expect(Values.safeParse(['1']).success).toBe(false)
  expect(Values.safeParse(Array.from({ length: 1000 }, () => 'a')).success).toBe(false)
  expect(Values.safeParse([...Array.from({ length: 1000 }, () => 1), 'last']).success).toBe(false)
})

it('says what it is a list of', () => {
  const item = z.string()
  expect(longListItem(longList(item))).toBe(item)
  expect(longListItem(item)).toBeUndefined()
})
