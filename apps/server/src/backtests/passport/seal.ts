import { createHash } from 'node:crypto'

/**
 * The seal of a passport: a short digest of every value by its path (`request.startValue`), so that a change is named. Figures,
 * columns and rows have digests of their own. It has no key: who changes a value can seal again, and what catches them is
 * the new run.
 */
type Seal = Readonly<Record<string, string>>

/** Longer lists are sealed as a whole. */
const MAX_LISTED = 50

/** Digested by the passport itself, and large. */
const APART = /^(?:seal|result\.figures|result\.columns|series\.\d+\.data\.parquet)$/

export function sealOf(passport: object): Seal {
  const parts: [string, string][] = []
  walk(passport, '', (path, value) => {
    parts.push([path, createHash('sha256').update(JSON.stringify(value, inOrder)).digest('hex').slice(0, 16)])
  })
  return Object.fromEntries(parts)
}

/** What was changed, added or removed since it was sealed, as paths. */
export function brokenParts(passport: object, seal: Seal): string[] {
  const now = sealOf(passport)
  return [...new Set([...Object.keys(now), ...Object.keys(seal)])].filter((path) => now[path] !== seal[path])
}

function walk(value: unknown, path: string, visit: (path: string, value: unknown) => void): void {
  if (value === undefined || APART.test(path)) return
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (parts.length === 0 || (Array.isArray(value) && value.length > MAX_LISTED)) visit(path, value)
  else for (const [key, part] of parts) walk(part, path === '' ? key : `${path}.${key}`, visit)
}

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
