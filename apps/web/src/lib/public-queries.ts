import type { QueryClient } from '@tanstack/react-query'

/** The `meta` of a query whose answer is the same for every visitor: it outlives the end of a session. */
export const PUBLIC = { isPublic: true } as const

/**
 * Drops what belonged to the user. A public page asks at the same moment as the session is asked for: without its query it
 * would wait for an answer that has come.
 */
export function dropPrivateQueries(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ meta }) => meta?.['isPublic'] !== true })
}
