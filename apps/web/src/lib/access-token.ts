import { browserStorage } from './browser-storage.ts'

/** Where the specification's calls look for a bearer token. */
const KEYS = ['token', 'authToken'] as const

/**
 * The bearer token that this browser was given, if any. The app itself keeps none: the session's cookie is enough for every
 * call, and scripts cannot read that one.
 */
export function readToken(): string | null {
  for (const key of KEYS) {
    const token = browserStorage()?.getItem(key)
    if (token) return token
  }
  return null
}

/** Earlier versions kept the token of the session; it goes when the session changes. */
export function forgetToken(): void {
  for (const key of KEYS) browserStorage()?.removeItem(key)
}
