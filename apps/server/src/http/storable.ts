/** PostgreSQL keeps no NUL, and no encoding keeps halves of surrogate pairs. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The same of every text in a JSON value, keys included. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, part]) => isStorableText(key) && isStorable(part))
}

/** No form of ours comes near it; recursion over a value stays far from the end of the stack. */
const MAX_DEPTH = 100

/** Whether a JSON value is nested deeper than any request needs. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth >= MAX_DEPTH || Object.values(value).some((part) => isTooDeep(part, depth + 1))
}
