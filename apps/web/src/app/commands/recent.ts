import { browserStorage } from '../../lib/browser-storage.ts'

const MAX_RECENT = 6

/**
 * The key has the user, since several may share a browser. Ids alone are stored, so that no name of a strategy stays
 * behind.
 */
const keyOf = (userId: number) => `tradewright-recent-commands-${userId}`

/** Ids of what was chosen in the palette, latest first. */
export function recentCommands(userId: number, storage: Storage | null = browserStorage()): readonly string[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : []
  } catch {
    return []
  }
}

export function noteCommand(userId: number, id: string, storage: Storage | null = browserStorage()): void {
  const ids = [id, ...recentCommands(userId, storage).filter((one) => one !== id)].slice(0, MAX_RECENT)
  try {
    storage?.setItem(keyOf(userId), JSON.stringify(ids))
  } catch {
    // A full storage: the palette works without its memory.
  }
}
