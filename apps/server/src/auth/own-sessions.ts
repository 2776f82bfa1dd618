import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { deviceOf } from './device.ts'
import type { SessionStore } from './ports.ts'
import type { Sessions } from './sessions.ts'

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
}

/** The current one first, then the last seen. */
export async function listOwnSessions(
  { sessionStore, clock }: OwnSessionsDeps,
  userId: number,
  currentId: string,
): Promise<OwnSession[]> {
  const now = clock.now()
  const rows = await sessionStore.list(userId, now)
  return rows
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

/** Somebody else's session does not exist for him. */
export async function endOwnSession({ sessions }: OwnSessionsDeps, userId: number, id: string): Promise<void> {
  if (await sessions.endOwn(userId, id)) return
  throw new Problem('missing', 'session.unknown', 'This session has ended already.')
}
