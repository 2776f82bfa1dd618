import type { z } from 'zod'

/** Null where the browser blocks it; reading `localStorage` throws there. */
export function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    return null
  }
}

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

/** Answers of the server that this browser keeps, to show something at once on the next visit. */
const PREFIX = 'answer '

interface KeptAnswer<Answer> {
  answer: Answer
  /** Milliseconds since 1970. */
  keptAt: number
}

export function keepAnswer(name: string, answer: unknown, now = Date.now()): void {
  try {
    browserStorage()?.setItem(PREFIX + name, JSON.stringify({ answer, keptAt: now }))
  } catch {
    // No room left: an older answer under this name would be worse than none.
    dropAnswer(name)
  }
}

/** Null when there is none, when it is too old, or when it was kept by a version that knew another shape. */
export function readAnswer<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  { maxAgeMs, now = Date.now() }: { maxAgeMs: number; now?: number },
): KeptAnswer<z.output<Schema>> | null {
  const kept = parsed(browserStorage()?.getItem(PREFIX + name) ?? null)
  const age = now - (kept?.keptAt ?? Number.NaN)
  const checked = schema.safeParse(kept?.answer)
  if (kept && checked.success && age >= 0 && age < maxAgeMs) return { answer: checked.data, keptAt: kept.keptAt }
  dropAnswer(name)
  return null
}

export function dropAnswer(name: string): void {
  browserStorage()?.removeItem(PREFIX + name)
}

/** When the user changes: nothing of the last one may show. */
export function dropAllAnswers(): void {
  const storage = browserStorage()
  if (!storage) return
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  for (const name of names) if (name?.startsWith(PREFIX)) storage.removeItem(name)
}

function parsed(text: string | null): KeptAnswer<unknown> | null {
  try {
    const value: unknown = text === null ? null : JSON.parse(text)
    return isKept(value) ? value : null
  } catch {
    return null
  }
}

const isKept = (value: unknown): value is KeptAnswer<unknown> =>
  typeof value === 'object' && value !== null && 'keptAt' in value && typeof value.keptAt === 'number'
