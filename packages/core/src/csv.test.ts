import { expect, it } from 'vitest'
import { csvText } from './csv.ts'

it('quotes what needs it, and ends every row', () => {
  expect(
    csvText([
      ['Name', 'Value'],
      ['a, b', 0.5],
      ['say "so"', -2],
    ]),
  ).toBe('Name,Value\r\n"a, b",0.5\r\n"say ""so""",-2\r\n')
})

it('keeps a spreadsheet from taking a text for a formula', () => {
  expect(csvText([['=1+1', '+x', '@y', '-z', -1]])).toBe("'=1+1,'+x,'@y,'-z,-1\r\n")
})
