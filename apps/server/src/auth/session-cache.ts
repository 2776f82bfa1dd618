import type { Clock } from '@tradewright/core/clock'
import type { Session } from './ports.ts'

/** A revoked session is forgotten by message; this bounds the harm of a message that gets lost. */
const RETENTION_MS = 5_000
const MAX_ENTRIES = 10_000

interface Entry {
  session: Session
  keepUntil: number
}

/** Sessions seen a moment ago, so that a busy user does not cost a database query a call. */
export interface SessionCache {
  get(key: string): Session | undefined
  /** Caches what `load` finds, unless something was forgotten meanwhile: it might have been this. */
  load(key: string, load: () => Promise<Session | null>): Promise<Session | null>
  forget(sessionId: string): void
  forgetAll(): void
}

export function createSessionCache(clock: Clock, maxEntries = MAX_ENTRIES): SessionCache {
  const entries = new Map<string, Entry>()
  const keysOf = new Map<string, Set<string>>()
  /** Loads under way: the many streams of one browser ask at the same moment. */
  const loading = new Map<string, { session: Promise<Session | null>; since: number }>()
  let forgettings = 0

  function drop(key: string, { session }: Entry): void {
    entries.delete(key)
    const keys = keysOf.get(session.id)
    keys?.delete(key)
    if (keys?.size === 0) keysOf.delete(session.id)
  }

  function put(key: string, session: Session): void {
    const known = entries.get(key)
    if (known) drop(key, known)
    const oldest = entries.entries().next()
    if (entries.size >= maxEntries && !oldest.done) drop(...oldest.value)
    const keepUntil = Math.min(clock.now().getTime() + RETENTION_MS, session.expiresAt.getTime())
    entries.set(key, { session, keepUntil })
    keysOf.set(session.id, (keysOf.get(session.id) ?? new Set()).add(key))
  }

  return {
    get(key) {
      const entry = entries.get(key)
      return entry && clock.now().getTime() < entry.keepUntil ? entry.session : undefined
    },
    load(key, load) {
      const shared = loading.get(key)
      if (shared?.since === forgettings) return shared.session
      const since = forgettings
      const session = load()
        .then((found) => {
          if (found && since === forgettings) put(key, found)
          return found
        })
        .finally(() => {
          if (loading.get(key)?.session === session) loading.delete(key)
        })
      loading.set(key, { session, since })
      return session
    },
    forget(sessionId) {
      forgettings += 1
      for (const key of keysOf.get(sessionId) ?? []) entries.delete(key)
      keysOf.delete(sessionId)
    },
    forgetAll() {
      forgettings += 1
      entries.clear()
      keysOf.clear()
    },
  }
}
