import { expect, it } from 'vitest'
import { createPasswordPolicy } from './password-policy.ts'

const strict = createPasswordPolicy(8)
const names = ['Maria-the-Trader', 'maria@example.com']

it.each(['', 'seven77', 'a', '🙂🙂🙂🙂'])('refuses %j as too short', (password) => {
  expect(() => strict.check(password, names)).toThrow('Password must have at least 8 characters.')
})

it.each([
  'password',
  'PASSWORD',
  'Password123!',
  'Welcome2024!',
  '12345678',
  '23456789',
  'abcdefgh',
  'aaaaaaaaaaaa',
  'qwertyuiop',
  '1q2w3e4r',
  'iloveyou',
  'tradewright',
])('refuses %s as one of the first that are tried', (password) => {
  expect(() => strict.check(password, names)).toThrow('This password is among the most common ones.')
})

it.each(['maria-the-trader', 'MARIA-THE-TRADER', 'maria@example.com'])('refuses the name itself: %s', (password) => {
  expect(() => strict.check(password, names)).toThrow('Password must not be the username.')
})

it.each(['blue canoe', 'correct horse', 'Tr0ub4dor&3', 'gato-negro-7', 'пароль-Маши'])('takes %s', (password) => {
  expect(() => strict.check(password, names)).not.toThrow()
})

it('takes any password where the minimum is one character', () => {
  const loose = createPasswordPolicy(1)
  for (const password of ['a', 'password', 'Maria-the-Trader']) expect(() => loose.check(password, names)).not.toThrow()
})
