import { getHealth } from '@tradewright/contract/health'
import { call } from '../../lib/http.ts'

/** An hour: the server goes on with the run all the same. */
export const CALL_TIMEOUT_MS = 3_600_000
export const KEEP_ALIVE_MS = 300_000
const PING_TIMEOUT_MS = 5_000

/** Pings the server while a long call is open, so that nothing in between falls asleep. The answer is not used. */
export function keepAlive(): () => void {
  const timer = setInterval(() => {
    void call(getHealth, { signal: AbortSignal.timeout(PING_TIMEOUT_MS) }).catch(() => {})
  }, KEEP_ALIVE_MS)
  return () => clearInterval(timer)
}
