import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { deviceOf } from './device.ts'
import type { SessionStore } from './ports.ts'
import type { Sessions } from './sessions.ts'

const DAY_MS = 86_400_000

export interface OwnSession {
  readonly id: string
  readonly device: string
  readonly address: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly isCurrent: boolean
}

export interface OwnSessionsDeps {
  sessionStore: SessionStore
  sessions: Sessions
  clock: Clock
  maxAgeDays: number
}

/** The current one first, then the last seen. */
export async function listOwnSessions(
  { sessionStore, clock, maxAgeDays }: OwnSessionsDeps,
  userId: number,
  currentId: string,
): Promise<OwnSession[]> {
  const now = clock.now()
  const oldest = now.getTime() - maxAgeDays * DAY_MS
  const rows = await sessionStore.list(userId, now)
  return rows
    .filter(({ createdAt }) => createdAt.getTime() > oldest)
    .map(({ id, userAgent, address, createdAt, lastUsedAt }) => {
      const isCurrent = id === currentId
      // Use is written down once an hour; of the session that asks, more is known.
      return {
        id,
        device: deviceOf(userAgent),
        address,
        createdAt,
        lastSeenAt: isCurrent ? now : lastUsedAt,
        isCurrent,
      }
    })
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.getTime() - a.lastSeenAt.getTime())
}

/** Another user's session answers like one that does not exist. */
export async function endOwnSession({ sessions }: OwnSessionsDeps, userId: number, id: string): Promise<void> {
  if (await sessions.endOwn(userId, id)) return
  throw new Problem('missing', 'session.unknown', 'This session has already ended.')
}
