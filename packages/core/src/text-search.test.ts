import { describe, expect, it } from 'vitest'
import { textSearch, wordsIn } from './text-search.ts'

describe('textSearch', () => {
  const texts = [
    { title: 'Save a strategy', body: 'Tick the box before the run.' },
    { title: 'Import a file', body: 'A saved file of prices is imported; strategies use it.' },
    { title: 'Alerts', body: 'By e-mail.' },
  ]
  const titles = (query: string) => textSearch(texts)(query).map(({ text }) => text.title)

  it('finds by any form of a word, what has it in its title first', () => {
    expect(titles('How do I save strategies?')).toEqual(['Save a strategy', 'Import a file'])
  })

  it('knows what part of the question a text covers, rare words counting more', () => {
    const [best] = textSearch(texts)('import unicorns')
    expect(best?.text.title).toBe('Import a file')
    expect(best?.coverage).toBeGreaterThan(0.2)
    expect(best?.coverage).toBeLessThan(0.6)
  })

  it('finds nothing where no word is known, nor in nothing', () => {
    expect(titles('unicorns')).toEqual([])
    expect(titles('')).toEqual([])
    expect(textSearch([])('save')).toEqual([])
  })
})

it('words have no endings, and words with a hyphen are also found by their parts', () => {
  expect(wordsIn('Trading trades traded')).toEqual(['trad', 'trad', 'trad'])
  expect(wordsIn('the walk-forward')).toEqual(['walk-forward', 'walk', 'forward'])
})
