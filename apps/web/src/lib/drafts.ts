import { browserStorage } from './browser-storage.ts'

/**
 * A form as it was left, per user. Each tab has its own, so that two of them do not write over each other; a new tab or
 * a new session of the browser takes up the last one.
 */
export function keepDraft(name: string, userId: number, draft: unknown): void {
  const text = JSON.stringify(draft)
  for (const storage of storages()) {
    try {
      storage.setItem(keyOf(name, userId), text)
    } catch {
      // No room left: the form goes on without a draft.
      storage.removeItem(keyOf(name, userId))
    }
  }
}

/** Undefined where there is none. Another version may have written it, so the caller checks its shape. */
export function readDraft(name: string, userId: number): unknown {
  for (const storage of storages()) {
    try {
      const text = storage.getItem(keyOf(name, userId))
      if (text !== null) return JSON.parse(text)
    } catch {
      storage.removeItem(keyOf(name, userId))
    }
  }
  return undefined
}

export function dropDraft(name: string, userId: number): void {
  for (const storage of storages()) storage.removeItem(keyOf(name, userId))
}

const keyOf = (name: string, userId: number) => `draft ${name} ${userId}`

/** The tab's own one first. */
function storages(): Storage[] {
  return [tabStorage(), browserStorage()].filter((storage) => storage !== null)
}

function tabStorage(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null
  } catch {
    return null
  }
}
