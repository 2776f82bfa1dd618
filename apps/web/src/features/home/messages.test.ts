import { expect, it } from 'vitest'
import { greeting } from './home-screen.tsx'

it('greets by username, else as User [SHELL-049] [SHELL-050]', () => {
  expect(greeting('maria')).toBe('Hello, maria!')
  expect(greeting('')).toBe('Hello, User!')
  expect(greeting(null)).toBe('Hello, User!')
})
