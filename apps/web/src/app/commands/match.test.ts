import { expect, it } from 'vitest'
import { matchOf } from './actions.ts'

const score = (query: string, label: string, words?: string) => matchOf(query, label, words)?.score ?? 0

it('finds a label by its start, a word, the middle, hidden words and letters with gaps, in this order', () => {
  const scores = [
    score('gold hedge', 'Gold hedge'),
    score('gol', 'Gold hedge'),
    score('hed', 'Gold hedge'),
    score('edge', 'Gold hedge'),
    score('inflation', 'Gold hedge', 'inflation metal'),
    score('gdh', 'Gold hedge'),
  ]
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(new Set(scores).size).toBe(scores.length)
  expect(scores.at(-1)).toBeGreaterThan(0)
})

it('wants every word, in any order, whatever the case and the accents', () => {
  expect(matchOf('HEDGE gold', 'Gold hedge')).not.toBeNull()
  expect(matchOf('gold silver', 'Gold hedge')).toBeNull()
  expect(matchOf('mun', 'Fonds Münster')).not.toBeNull()
  expect(matchOf('', 'Gold hedge')).toEqual({ score: 0, ranges: [] })
})

it('does not find letters that are scattered over a long name', () => {
  expect(matchOf('xyz', 'Portfolio Performance')).toBeNull()
  expect(matchOf('pe', 'Portfolio Value')).toBeNull()
  expect(matchOf('ptf', 'Portfolio Performance')).not.toBeNull()
})

it('says which letters to mark', () => {
  expect(matchOf('gold', 'SPDR Gold Shares')?.ranges).toEqual([[5, 9]])
  expect(matchOf('go gold', 'SPDR Gold Shares')?.ranges).toEqual([[5, 9]])
  expect(matchOf('studio', 'Backtest', 'studio')?.ranges).toEqual([])
})
