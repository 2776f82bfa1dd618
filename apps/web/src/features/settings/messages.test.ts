import { expect, it } from 'vitest'
import { CallError } from '../../lib/call-error.ts'
import { arrivalMessage, failed } from './messages.ts'

const arrive = (query: string) => arrivalMessage(new URLSearchParams(query))

it('congratulates after linking [SET-018] [SET-089]', () => {
  expect(arrive('success=google_linked')).toEqual({ kind: 'success', text: 'Google account linked successfully!' })
})

it.each([
  ['invalid_state', 'Invalid OAuth state. Please try again.'],
  ['invalid_oauth_response', 'Invalid response from Google. Please try again.'],
  ['google_account_already_linked', 'This Google account is already linked to another user.'],
  ['linking_failed', 'Failed to link Google account. Please try again.'],
  ['anything_else', 'An error occurred during Google linking.'],
  ['toString', 'An error occurred during Google linking.'],
  ['', 'An error occurred during Google linking.'],
])('explains error=%s [SET-019] [SET-084] [SET-085] [SET-086] [SET-087] [SET-088]', (code, text) => {
  expect(arrive(`error=${code}`)).toEqual({ kind: 'error', text })
})

it('says nothing on an ordinary visit', () => {
  expect(arrive('')).toBeNull()
  expect(arrive('success=other')).toBeNull()
})

it('names what failed, with the reason of the server or an unknown error [SET-082] [SET-083]', () => {
  const refused = (serverMessage: string | null) => new CallError({ status: 503, code: 'x', serverMessage })
  expect(failed('link', refused('Not configured.')).text).toBe('Failed to link Google account: Not configured.')
  expect(failed('unlink', refused(null)).text).toBe('Failed to unlink Google account: Unknown error')
  expect(failed('toggle', new Error('a bug')).text).toBe('Failed to update password setting: Unknown error')
})
