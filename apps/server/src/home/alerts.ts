import type { Clock } from '@tradewright/core/clock'
import { DAY } from '@tradewright/core/time'
import type { Alert, AlertStore } from './ports.ts'

const RECENT_MS = 7 * DAY
const MAX_ALERTS = 50

/** What is so now comes first, then what happened, newest first. */
export async function ownAlerts(
  { alerts, clock }: { alerts: AlertStore; clock: Clock },
  userId: number,
): Promise<Alert[]> {
  const since = new Date(clock.now().getTime() - RECENT_MS)
  const [blocked, events, accounts] = await Promise.all([
    alerts.blocked(userId),
    alerts.events(userId, since),
    alerts.unverifiedAccounts(userId),
  ])
  // A problem that stands was also told as an event when it began.
  const standing = new Set(blocked.map(({ id, text }) => `${id} ${text}`))
  const happened = events.filter(({ id, text }) => !standing.has(`${id} ${text}`))
  return [...blocked, ...accounts, ...happened].slice(0, MAX_ALERTS)
}
