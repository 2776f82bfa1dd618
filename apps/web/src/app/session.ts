import { type User, GOOGLE_LOGIN_PATH, getRegistration, type RegistrationInfo } from '@tradewright/contract/auth'
import type { FactorProof } from '@tradewright/contract/second-factor'
import { createContext, use } from 'react'
import { useNavigate, type Location } from 'react-router'
import { isReturnPath } from '@tradewright/contract/screens'
import { useQuery } from '@tanstack/react-query'
import { showToast } from '../ui/feedback/toasts/toasts.tsx'
import { call } from '../lib/http.ts'
import { PUBLIC } from '../lib/public-queries.ts'

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

interface Credentials {
  username: string
  password: string
}

export interface SessionActions {
  /** Both reject with a `CallError` when the server refuses. */
  signIn: (credentials: Credentials) => Promise<void>
  /** The second step of a sign-in; answers the screen that was asked for before Google was. */
  signInWithFactor: (proof: FactorProof) => Promise<string | null>
  register: (credentials: Credentials, invite: string | null) => Promise<void>
  /** False when it failed: the failure is logged, the user stays. */
  signOut: () => Promise<boolean>
  /** The server has ended the session at the user's request: nothing is left to be told or kept. */
  leave: () => void
  askAgain: () => void
}

export const SessionContext = createContext<(SessionActions & { session: Session }) | null>(null)

export function useSession() {
  const value = use(SessionContext)
  if (!value) throw new Error('useSession needs a SessionProvider above it')
  return value
}

/** The signed-in user; for screens behind the sign-in only. */
export function useUser(): User {
  const { session } = useSession()
  if (session.state !== 'signed in') throw new Error('this screen is for signed-in users')
  return session.user
}

export function useLogOut(): () => void {
  const { signOut } = useSession()
  const navigate = useNavigate()
  return () =>
    void signOut().then((isOut) => {
      if (isOut) return navigate('/login')
      showToast({ kind: 'error', text: 'You are still signed in', detail: 'Could not log out. Try again.' })
    })
}

/** Where a visitor wanted to go before they were asked to sign in; it travels in the history entry, not in the address. */
interface Arrival {
  returnTo: string
}

export const arrivalFrom = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): Arrival => ({
  returnTo: `${pathname}${search}${hash}`,
})

/** A screen of this app, else Home. */
export function returnPathOf(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('returnTo' in state)) return '/'
  const { returnTo } = state
  return typeof returnTo === 'string' && isReturnPath(returnTo) ? returnTo : '/'
}

/** The browser leaves for Google, and its history entry stays behind: the server keeps where it goes on. */
export function googleLoginPath(state: unknown, invite?: string): string {
  const returnTo = returnPathOf(state)
  const query = new URLSearchParams({ ...(invite && { invite }), ...(returnTo !== '/' && { return: returnTo }) })
  return query.size === 0 ? GOOGLE_LOGIN_PATH : `${GOOGLE_LOGIN_PATH}?${query.toString()}`
}

/** When the server does not say: what it then refuses, it explains. */
const UNKNOWN: RegistrationInfo = { registration: 'open', min_password_length: 1 }

/** Whether visitors may register here; undefined until the server has said so. */
export function useRegistration(): RegistrationInfo | undefined {
  const { data, isError } = useQuery({
    queryKey: ['registration'],
    meta: PUBLIC,
    queryFn: ({ signal }) => call(getRegistration, { signal }),
    staleTime: 60_000,
    retry: false,
  })
  return data ?? (isError ? UNKNOWN : undefined)
}
