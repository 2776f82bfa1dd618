import { expect, it } from 'vitest'
import { pageNumbers, pageWindow } from './table.tsx'

it('shows every page of a few, and a way to both ends of many', () => {
  expect(pageNumbers(1, 2)).toEqual([1, 2])
  expect(pageNumbers(4, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(pageNumbers(1, 40)).toEqual([1, 2, 'gap after', 40])
  expect(pageNumbers(20, 40)).toEqual([1, 'gap before', 19, 20, 21, 'gap after', 40])
  expect(pageNumbers(40, 40)).toEqual([1, 'gap before', 39, 40])
})

it('moves a window of five pages with the current one [DATA-028]', () => {
  expect(pageWindow(1, 3, 5)).toEqual([1, 2, 3])
  expect(pageWindow(1, 20, 5)).toEqual([1, 2, 3, 4, 5])
  expect(pageWindow(9, 20, 5)).toEqual([7, 8, 9, 10, 11])
  expect(pageWindow(20, 20, 5)).toEqual([16, 17, 18, 19, 20])
  expect(pageWindow(1, 1, 5)).toEqual([1])
})
