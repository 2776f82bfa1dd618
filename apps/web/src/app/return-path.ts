import { GOOGLE_LOGIN_PATH } from '@tradewright/contract/auth'
import { isReturnPath } from '@tradewright/contract/screens'
import type { Location } from 'react-router'

/** Where a visitor wanted to go before they were asked to sign in; it travels in the history entry, not in the address. */
interface Arrival {
  returnTo: string
}

export const arrivalFrom = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): Arrival => ({
  returnTo: `${pathname}${search}${hash}`,
})

/** A screen of this app, else Home. */
export function returnPathOf(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('returnTo' in state)) return '/'
  const { returnTo } = state
  return typeof returnTo === 'string' && isReturnPath(returnTo) ? returnTo : '/'
}

/** The browser leaves for Google, and its history entry stays behind: the server keeps where it goes on. */
export function googleLoginPath(state: unknown, invite?: string): string {
  const returnTo = returnPathOf(state)
  const query = new URLSearchParams({ ...(invite && { invite }), ...(returnTo !== '/' && { return: returnTo }) })
  return query.size === 0 ? GOOGLE_LOGIN_PATH : `${GOOGLE_LOGIN_PATH}?${query.toString()}`
}
