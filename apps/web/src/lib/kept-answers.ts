import type { z } from 'zod'
import { browserStorage } from './browser-storage.ts'

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
