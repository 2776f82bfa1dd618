import { isScreenPath } from '@tradewright/contract/screens'
import type { Location } from 'react-router'

/** Where a visitor wanted to go before they were asked to sign in; it travels in the history entry, not in the address. */
interface Arrival {
  returnTo: string
}

const VISITORS_ONLY = /^\/(login|register)\/?$/i

export const arrivalFrom = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): Arrival => ({
  returnTo: `${pathname}${search}${hash}`,
})

/** A screen of this app, else Home: never another site, nor a page that would ask to sign in again. */
export function returnPathOf(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('returnTo' in state)) return '/'
  const { returnTo } = state
  if (typeof returnTo !== 'string' || !/^\/(?![/\\])/.test(returnTo)) return '/'
  const [pathname = ''] = returnTo.split(/[?#]/, 1)
  return isScreenPath(pathname) && !VISITORS_ONLY.test(pathname) ? returnTo : '/'
}
