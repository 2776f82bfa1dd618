import fc from 'fast-check'
import { expect, it } from 'vitest'
import { linkGoogleAccount, setFirstPassword, switchPassword, unlinkGoogleAccount } from './sign-in-methods.ts'
import type { SignInMethods } from './user.ts'

const google = { subject: '1', email: 'a@example.com' }
const registered: SignInMethods = { passwordHash: 'hash', isPasswordEnabled: true, google: null }
const throughGoogle: SignInMethods = { passwordHash: null, isPasswordEnabled: false, google }

it('switches password sign-in off only while Google is linked [SET-043] [SET-070]', () => {
  expect(() => switchPassword(false)(registered)).toThrow(
    'Cannot disable password authentication without linking Google account first',
  )
  expect(switchPassword(false)({ ...registered, google })).toMatchObject({ isPasswordEnabled: false })
})

it('keeps the password while it is switched off', () => {
  const off = switchPassword(false)({ ...registered, google })
  expect(switchPassword(true)(off)).toEqual({ ...registered, google })
})

it('asks for a password before password sign-in can be switched on', () => {
  expect(() => switchPassword(true)(throughGoogle)).toThrow('Set a password first.')
  expect(switchPassword(true)(setFirstPassword('hash')(throughGoogle)).isPasswordEnabled).toBe(true)
})

it('unlinks Google only where a password signs in [SET-025] [SET-071]', () => {
  expect(() => unlinkGoogleAccount(registered)).toThrow('No Google account is linked.')
  expect(() => unlinkGoogleAccount(throughGoogle)).toThrow('Set a password first.')
  expect(() => unlinkGoogleAccount({ ...registered, google, isPasswordEnabled: false })).toThrow(
    'Enable password sign-in first.',
  )
  expect(unlinkGoogleAccount({ ...registered, google })).toEqual(registered)
})

const decisions = fc.constantFrom(
  switchPassword(true),
  switchPassword(false),
  setFirstPassword('hash'),
  linkGoogleAccount(google),
  linkGoogleAccount({ subject: '2', email: 'b@example.com' }),
  unlinkGoogleAccount,
)

it('leaves a way to sign in, whatever is decided in whatever order [SET-044]', () => {
  const start = fc.constantFrom(registered, throughGoogle)
  fc.assert(
    fc.property(start, fc.array(decisions, { maxLength: 12 }), (methods, steps) => {
      let now = methods
      for (const decide of steps) {
        try {
          now = decide(now)
        } catch {
          // Refused: everything stays.
        }
        expect(now.google !== null || (now.isPasswordEnabled && now.passwordHash !== null)).toBe(true)
      }
    }),
  )
})
