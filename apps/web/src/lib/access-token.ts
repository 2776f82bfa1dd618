import { browserStorage } from './browser-storage.ts'

/** Calls name the token by either key; both always hold the same one. */
const KEYS = ['token', 'authToken'] as const

/** The bearer token of the session, if this browser was given one. The cookie alone is enough for every call. */
export function readToken(): string | null {
  for (const key of KEYS) {
    const token = browserStorage()?.getItem(key)
    if (token) return token
  }
  return null
}

export function keepToken(token: string): void {
  for (const key of KEYS) browserStorage()?.setItem(key, token)
}

export function forgetToken(): void {
  for (const key of KEYS) browserStorage()?.removeItem(key)
}
