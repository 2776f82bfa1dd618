/** Each browser has its own words for a part of the app that could not be fetched. */
const SENTENCES = [
  /failed to fetch dynamically imported module/i, // Chromium
  /error loading dynamically imported module/i, // Firefox
  /importing a module script failed/i, // Safari
  /unable to preload css/i, // the bundler's own
]

export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && SENTENCES.some((sentence) => sentence.test(error.message))
}

const RELOADED_AT = 'tradewright-reloaded-at'
const PAUSE_MS = 30_000

/** Whether the page may load itself again; not twice in a row, so that a part that stays away ends in a sentence. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'> | null, now: number): boolean {
  if (!storage) return false
  const last = Number(storage.getItem(RELOADED_AT))
  if (Math.abs(now - last) < PAUSE_MS) return false
  storage.setItem(RELOADED_AT, String(now))
  return true
}
