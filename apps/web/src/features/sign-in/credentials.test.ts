import { expect, it } from 'vitest'
import { checkCredentials, firstWrongField } from './credentials.ts'

it('asks for username and password, and for nothing else [SHELL-060] [SHELL-061]', () => {
  expect(checkCredentials({ username: ' ', password: '' })).toEqual({
    username: 'Username is required.',
    password: 'Password is required.',
  })
  expect(checkCredentials({ username: 'maria', password: ' ' })).toEqual({})
})

it('points at the first field that is wrong', () => {
  expect(firstWrongField({ username: 'x', password: 'y' })).toBe('username')
  expect(firstWrongField({ password: 'y' })).toBe('password')
  expect(firstWrongField({})).toBeNull()
})
