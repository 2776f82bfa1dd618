/** PostgreSQL keeps no NUL, and no encoding keeps halves of surrogate pairs. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The same of every text in a JSON value, keys included. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, part]) => isStorableText(key) && isStorable(part))
}

/** Fields that hold a name or a heading: shown in lists, mails and files, where a line break is another line. */
const IS_NAME = /(^|_)(name|title|label|subject)$|Name$/
const CONTROL = /\p{Cc}/u

/** The first name in a value that has control characters. */
export function nameWithControls(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, part] of Object.entries(value)) {
    if (typeof part === 'string' ? IS_NAME.test(key) && CONTROL.test(part.trim()) : false) return key
    const inner = nameWithControls(part)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** No form of ours comes near them. Recursion stays far from the end of the stack, and checking is a matter of milliseconds. */
const MAX_DEPTH = 100
const MAX_VALUES = 50_000

/** What a JSON value has more of than any request needs: `is nested too deeply`, `has too many values`. */
export function excessOf(value: unknown): string | undefined {
  let values = 0
  const visit = (part: unknown, depth: number): string | undefined => {
    if (++values > MAX_VALUES) return 'has too many values'
    if (typeof part !== 'object' || part === null) return undefined
    if (depth >= MAX_DEPTH) return 'is nested too deeply'
    for (const inner of Object.values(part)) {
      const excess = visit(inner, depth + 1)
      if (excess) return excess
    }
    return undefined
  }
  return visit(value, 0)
}
