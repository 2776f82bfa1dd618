import { Problem } from '@tradewright/core/problem'
import { isCommonPassword } from './common-passwords.ts'
import { usernameKey } from './username-key.ts'

/** From this minimum on the operator wants passwords that resist guessing, so the common ones are refused as well. */
const STRICT_FROM = 8

export interface PasswordPolicy {
  readonly minLength: number
  /** Throws a Problem that says what is wrong. `names`: the username and the e-mail address. */
  check(password: string, names: readonly string[]): void
}

export function createPasswordPolicy(minLength: number): PasswordPolicy {
  return {
    minLength,
    check(password, names) {
      const key = password.normalize('NFKC').toLowerCase().trim()
      // By code points: an emoji is one character to the user.
      if (Array.from(password).length < minLength) throw refused(`Password must have at least ${minLength} characters.`)
      if (minLength < STRICT_FROM) return
      if (names.some((name) => usernameKey(name) === key)) throw refused('Password must not be the username.')
      if (isCommonPassword(key)) {
        throw refused('This password is among the most common ones. Please choose another one.')
      }
    },
  }
}

const refused = (sentence: string): Problem => new Problem('invalid', 'password.weak', sentence)
