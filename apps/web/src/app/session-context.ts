import type { User } from '@tradewright/contract/auth'
import type { FactorProof } from '@tradewright/contract/second-factor'
import { createContext, use } from 'react'
import type { Session } from './session.ts'

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
