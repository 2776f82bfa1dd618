/** PostgreSQL keeps no NUL, and no encoding keeps halves of surrogate pairs. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The same of every text in a JSON value, keys included. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, part]) => isStorableText(key) && isStorable(part))
}
