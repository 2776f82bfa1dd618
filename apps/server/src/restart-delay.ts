const FIRST_MS = 500
const MAX_MS = 30_000

/** How long to wait before what ended is started again: half a second, doubled with every attempt, up to 30 seconds. */
export const restartDelay = (attempt: number): number => Math.min(MAX_MS, FIRST_MS * 2 ** attempt)
