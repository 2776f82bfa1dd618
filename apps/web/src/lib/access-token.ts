/** Calls name the token by either key; both always hold the same one. */
const KEYS = ['token', 'authToken'] as const

/** The bearer token of the session, if this browser was given one. The cookie alone is enough for every call. */
export function readToken(): string | null {
  for (const key of KEYS) {
    const token = storage()?.getItem(key)
    if (token) return token
  }
  return null
}

export function keepToken(token: string): void {
  for (const key of KEYS) storage()?.setItem(key, token)
}

export function forgetToken(): void {
  for (const key of KEYS) storage()?.removeItem(key)
}

/** Reading `localStorage` throws where the browser blocks it. */
function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    return null
  }
}
