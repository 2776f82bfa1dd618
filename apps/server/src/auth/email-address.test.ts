import { expect, it } from 'vitest'
import { isEmailAddress } from './email-address.ts'

it.each(['ann@mail.example', "o'neil+news@mail.example", 'jürgen@bücher.example'])('takes %s for an address', (key) => {
  expect(isEmailAddress(key)).toBe(true)
})

// A mail program sends all of these to ann@mail.example.
it.each([
  '<ann@mail.example>',
  'x<ann@mail.example>',
  'x:ann@mail.example',
  'ann@mail.example(x)',
  '"ann"@mail.example',
])('does not take %s for another address', (key) => {
  expect(isEmailAddress(key)).toBe(false)
})
