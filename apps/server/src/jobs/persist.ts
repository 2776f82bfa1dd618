import { setTimeout as pause } from 'node:timers/promises'
import { errorCode } from '../system-error.ts'

const PAUSES_MS = [100, 300, 1_000, 3_000, 5_000, 10_000, 10_000]

/** Repeats a write while the database is away for a moment: hours of work must not be lost to a second without it. */
export async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  for (const wait of PAUSES_MS) {
    try {
      return await write()
    } catch (error) {
      if (isRefusal(error)) throw error
      await pause(wait)
    }
  }
  return write()
}

/** The value itself cannot be stored (SQLSTATE classes 22 and 23, or no JSON at all): waiting does not help. */
function isRefusal(error: unknown): boolean {
  return error instanceof TypeError || /^2[23]/.test(errorCode(error) ?? '')
}
