import { expect, it } from 'vitest'
import { plainLine } from './plain-line.ts'

it.each([
  ['a  b\n\tc', 'a b c'],
  ['safe\u202Eevil', 'safe evil'],
  ['zero\u200Bwidth\u0000', 'zero width'],
  ['half \uD800', 'half \uFFFD'],
  ['tag\u{E0041}s', 'tag s'],
  ['filled\u3164\u2800in', 'filled in'],
  ['hidden\u{E0101}words', 'hidden words'],
  [`pile${'\u0301'.repeat(50)}`, `pile${'\u0301'.repeat(4)}`],
  ['Übung 60/40 📈', 'Übung 60/40 📈'],
])('shows %j as one line of visible text', (text, line) => {
  expect(plainLine(text, 40)).toBe(line)
})

it('ends what is too long, and splits no letter', () => {
  expect(plainLine('📈'.repeat(5), 3)).toBe('📈📈…')
})
