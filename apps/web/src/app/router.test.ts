import { SCREEN_PATHS } from '@tradewright/contract/screens'
import type { RouteObject } from 'react-router'
import { expect, it } from 'vitest'
import { routes } from './router.tsx'

const pathsOf = (list: readonly RouteObject[]): string[] =>
  list.flatMap(({ path, children }) => [...(path === undefined ? [] : [path]), ...pathsOf(children ?? [])])

it('has a screen for every path that the server answers with the page, and for no other', () => {
  expect(pathsOf(routes).toSorted()).toEqual([...SCREEN_PATHS, '*'].toSorted())
})
