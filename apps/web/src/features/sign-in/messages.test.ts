import { GOOGLE_LOGIN_ERRORS } from '@tradewright/contract/auth'
import { expect, it } from 'vitest'
import { googleLoginError } from './messages.ts'

it('says what went wrong with Google, for every code that the server sends [SHELL-073]', () => {
  expect(googleLoginError('google_unavailable')).toBe('Sign in with Google is not available on this site.')
  expect(googleLoginError('email_taken')).toBe(
    'An account with this e-mail exists already. Sign in with your password, then link Google in Settings.',
  )
  const sentences = GOOGLE_LOGIN_ERRORS.map((code) => googleLoginError(code))
  expect(new Set(sentences).size).toBe(GOOGLE_LOGIN_ERRORS.length)
})

it('has a sentence for a code it does not know, and none without a code', () => {
  expect(googleLoginError('toString')).toBe('Sign in with Google failed. Please try again.')
  expect(googleLoginError('other')).toBe('Sign in with Google failed. Please try again.')
  expect(googleLoginError(null)).toBeNull()
})
