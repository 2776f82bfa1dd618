import { expect, it } from 'vitest'
import { trimSlashes, trimTrailingSlashes } from './trim-slashes.ts'

it.each([
  ['', '', ''],
  ['///', '', ''],
  ['a', 'a', 'a'],
  ['//a//b//', '//a//b', 'a//b'],
  [`a${'/'.repeat(1_000_000)}b`, `a${'/'.repeat(1_000_000)}b`, `a${'/'.repeat(1_000_000)}b`],
])('takes slashes off %.20s', (text, atEnd, around) => {
  expect([trimTrailingSlashes(text), trimSlashes(text)]).toEqual([atEnd, around])
})
