import { expect, it } from 'vitest'
import { columnsOf, headersOf, LEFT_OUT, seemsPriced, tickerOfFile } from './import-form.tsx'

it('reads the names of the columns, whatever stands between them', () => {
  expect(headersOf('date,open,close\n2020-01-01,1,2')).toEqual(['date', 'open', 'close'])
  expect(headersOf('\uFEFFDate;"Close; last"\r\n')).toEqual(['Date', 'Close; last'])
  expect(headersOf('a\t"say ""b"""')).toEqual(['a', 'say "b"'])
})

it('finds no names in a line of values', () => {
  expect(headersOf('2020-01-02,1.5,2\n')).toEqual([])
  expect(headersOf('')).toEqual([])
})

it('sends only what was chosen by hand', () => {
  expect(columnsOf({ a: '', b: 'close', c: LEFT_OUT })).toEqual({ b: 'close', c: '' })
})

it('tells prices from other values by the names', () => {
  expect(seemsPriced(['date', 'Adj Close'], {})).toBe(true)
  expect(seemsPriced(['date', 'sentiment'], {})).toBe(false)
  expect(seemsPriced(['date', 'settle'], { settle: 'close' })).toBe(true)
  expect(seemsPriced(['date', 'close'], { close: LEFT_OUT })).toBe(false)
  expect(seemsPriced([], {})).toBe(true)
})

it('guesses the ticker from the name of the file', () => {
  expect(tickerOfFile('AAPL.csv')).toBe('AAPL')
  expect(tickerOfFile('btc-usd (1).csv')).toBe('BTC-USD')
})
