import type { User } from '@tradewright/contract/auth'

/** `offline`: the browser has no network, so the session cannot be checked yet. */
export type Session =
  | { state: 'loading' }
  | { state: 'signed in'; user: User }
  | { state: 'signed out'; notice: string | null }
  | { state: 'offline' }

type SessionEvent =
  | { type: 'user found'; user: User }
  | { type: 'no user found'; isOnline: boolean; notice: string | null }
  | { type: 'signed out' }
  | { type: 'session ended' }
  | { type: 'asked again' }

export const SESSION_ENDED = 'Your session has ended. Sign in again to continue.'

export const newSession: Session = { state: 'loading' }

type Moves = { [E in SessionEvent as E['type']]: (session: Session, event: E) => Session }

const MOVES: Moves = {
  'user found': (_, { user }) => ({ state: 'signed in', user }),
  'no user found': (_, { isOnline, notice }) => (isOnline ? { state: 'signed out', notice } : { state: 'offline' }),
  'signed out': () => ({ state: 'signed out', notice: null }),
  // Only a user who was signed in can be told that the session ended; the first check of a visitor is no news.
  'session ended': (session) =>
    session.state === 'signed in' ? { state: 'signed out', notice: SESSION_ENDED } : session,
  'asked again': () => ({ state: 'loading' }),
}

export function nextSession(session: Session, event: SessionEvent): Session {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has one move per event type
  const move = MOVES[event.type] as (session: Session, event: SessionEvent) => Session
  return move(session, event)
}
