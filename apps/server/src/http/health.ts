import { getHealth } from '@tradewright/contract/health'
import { Problem } from '@tradewright/core/problem'
import type { Handle } from './handle.ts'

/** `isReady` asks the database; while it is away we are up but of no use. */
export function serveHealth(handle: Handle, isReady: () => Promise<boolean>): void {
  handle(getHealth, async () => {
    if (!(await isReady())) {
      throw new Problem('unavailable', 'database.away', 'The database cannot be reached right now.', {
        retryAfterSeconds: 5,
      })
    }
    return { status: 'ok' as const }
  })
}
