/** Null where the browser blocks it; reading `localStorage` throws there. */
export function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    return null
  }
}
