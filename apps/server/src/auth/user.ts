import { Problem } from '@tradewright/core/problem'

export interface User {
  id: number
  username: string
  email: string
}

/** The ways a user may sign in. One of them always works. */
export interface SignInMethods {
  /** Null while the user has never set a password. */
  passwordHash: string | null
  isPasswordEnabled: boolean
  google: GoogleAccount | null
}

/** `subject` is Google's lasting id of the account; its e-mail address may change. */
export interface GoogleAccount {
  subject: string
  email: string
}

/**
 * `verified`: proven by mail or by Google; one account has it. `accepted`: not proven, but it signs in where it is not
 * another account's verified one. `unverified`: stored, and no way to sign in.
 */
export type EmailState = 'unverified' | 'accepted' | 'verified'

export interface Account extends User {
  emailState: EmailState
  signIn: SignInMethods
}

/** How a user reads numbers, dates and times; ids of the lists in core/formats. */
export interface UserFormats {
  readonly numbers: string
  readonly dates: string
  readonly clock: string
  readonly timeZone: string
}

export const accountSuspended = (): Problem =>
  new Problem('denied', 'account.suspended', 'This account is suspended by the operator of this server.')
