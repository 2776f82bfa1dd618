import type { Route } from '@tradewright/contract/route'
import { browserStorage } from './browser-storage.ts'

/** The names under which the specification's calls look for the session's bearer token; both hold the same one. */
const KEYS = ['token', 'authToken'] as const
type Key = (typeof KEYS)[number]

/** Which calls send the token, by their tag; the others send the session's cookie alone, which is enough for every call. */
const KEY_OF_TAG: Readonly<Record<string, Key>> = {
  'AI assistant': 'token',
  'Brokerage accounts': 'authToken',
  'Data Collector': 'authToken',
  'Data stores': 'authToken',
  OpenAI: 'authToken',
  Portfolio: 'authToken',
  'Sign-in methods': 'authToken',
}

/** The bearer token that a call sends, if it sends one and this browser has it. */
export function tokenFor({ tag }: Pick<Route, 'tag'>): string | null {
  const key = KEY_OF_TAG[tag]
  return key === undefined ? null : (browserStorage()?.getItem(key) ?? null)
}

export function keepToken(token: string): void {
  for (const key of KEYS) browserStorage()?.setItem(key, token)
}

export function forgetToken(): void {
  for (const key of KEYS) browserStorage()?.removeItem(key)
}
