import { formatNumber } from '../../../lib/format.ts'
import { MISSING } from '../../../lib/format.ts'

/** `340 ms`, `2.4 s`, `3 min 5 s`. */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null) return MISSING
  if (milliseconds < 1_000) return `${milliseconds} ms`
  if (milliseconds < 60_000) return `${formatNumber(milliseconds / 1_000, { decimals: 1 })} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1_000)} s`
}
