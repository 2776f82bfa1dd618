import { expect, it } from 'vitest'
import { pageOf } from './newest-first.ts'

const items = (page: number) => pageOf(['a', 'b', 'c', 'd', 'e'], page, 2).map(({ item }) => item)

it('shows the newest rows first, page by page [BT-072]', () => {
  expect([items(1), items(2), items(3), items(4)]).toEqual([['e', 'd'], ['c', 'b'], ['a'], []])
  expect(pageOf(['a', 'b'], 1, 5)).toEqual([
    { item: 'b', position: 1 },
    { item: 'a', position: 0 },
  ])
})
