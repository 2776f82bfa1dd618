import { excessOfJson } from '../../excessive-json.ts'

/** PostgreSQL keeps no NUL, and no encoding keeps halves of surrogate pairs. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The same of every text in a JSON value, keys included. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  // Without lists of entries: a request may have tens of thousands of values.
  for (const key of Object.keys(value)) {
    if (!isStorableText(key) || !isStorable((value as Record<string, unknown>)[key])) return false
  }
  return true
}

/** Fields that hold a name or a heading: shown in lists, mails and files, where a line break is another line. */
const IS_NAME = /(^|_)(name|title|label|subject)$|Name$/
const CONTROL = /\p{Cc}/u

/** The first name in a value that has control characters. */
export function nameWithControls(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const part = (value as Record<string | number, unknown>)[key]
    if (typeof part === 'object') {
      const inner = nameWithControls(part)
      if (inner !== undefined) return inner
    } else if (!isList && typeof part === 'string' && IS_NAME.test(key as string) && CONTROL.test(part.trim())) {
      return key as string
    }
  }
  return undefined
}

/** No form of ours comes near them. Recursion stays far from the end of the stack, and checking is a matter of milliseconds. */
const MAX_DEPTH = 100
const MAX_VALUES = 25_000

const EXCESS = { values: 'has too many values', depth: 'is nested too deeply' } as const

/** The same of a JSON text that has not been parsed, for what is far beyond. */
export function excessOfText(json: Buffer): string | undefined {
  const excess = excessOfJson(json, { values: MAX_VALUES, depth: MAX_DEPTH })
  return excess && EXCESS[excess]
}

/** What a JSON value has more of than any request needs: `is nested too deeply`, `has too many values`. */
export function excessOf(value: unknown): string | undefined {
  let values = 0
  const visit = (part: unknown, depth: number): string | undefined => {
    if (++values > MAX_VALUES) return EXCESS.values
    if (typeof part !== 'object' || part === null) return undefined
    if (depth >= MAX_DEPTH) return EXCESS.depth
    for (const inner of Object.values(part)) {
      const excess = visit(inner, depth + 1)
      if (excess) return excess
    }
    return undefined
  }
  return visit(value, 0)
}
