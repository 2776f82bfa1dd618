import { expect, it } from 'vitest'
import { passwordStrength } from './password-strength.ts'

it.each([
  ['short', 'Weak'],
  ['password123', 'Weak'],
  ['12345678901234', 'Weak'],
  ['aaaaaaaaaaaaaaa', 'Weak'],
  ['maria-the-trader', 'Weak'],
  ['blue canoe', 'Fair'],
  ['blue canoe 42', 'Good'],
  ['blue canoe on a quiet lake', 'Strong'],
])('finds %s %s', (password, word) => {
  expect(passwordStrength(password, 'maria')?.word).toBe(word)
})

it('says nothing before anything is typed', () => {
  expect(passwordStrength('', 'maria')).toBeNull()
})

it('does not mind a username of one or two letters', () => {
  expect(passwordStrength('blue canoe on a quiet lake', 'a')?.word).toBe('Strong')
})
