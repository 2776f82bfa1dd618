import { expect, it } from 'vitest'
import { anchorOf, glossaryEntries, guideLink, guideSections, plainWords } from './guide.ts'

it('a page is its introduction and its sections', () => {
  const page = '# Backtest Studio\n\nTest it.\n\n## Save a strategy\n\nTick the box.\n\n### Aside\n\nMore.\n\n## Why?\n'
  expect(guideSections('backtest-studio', page)).toEqual([
    { page: 'backtest-studio', pageTitle: 'Backtest Studio', title: 'Backtest Studio', anchor: '', body: 'Test it.' },
    {
      page: 'backtest-studio',
      pageTitle: 'Backtest Studio',
      title: 'Save a strategy',
      anchor: 'save-a-strategy',
      body: 'Tick the box.\n\n### Aside\n\nMore.',
    },
    { page: 'backtest-studio', pageTitle: 'Backtest Studio', title: 'Why?', anchor: 'why', body: '' },
  ])
})

it('anchors are those of GitHub', () => {
  expect(['4. See what it will do', 'Will I get real data?', 'Accounts & keys'].map(anchorOf)).toEqual([
    '4-see-what-it-will-do',
    'will-i-get-real-data',
    'accounts--keys',
  ])
})

it.each([
  ['faq.md', 'home', { page: 'faq', anchor: '' }],
  ['faq.md#why-is-it', 'home', { page: 'faq', anchor: 'why-is-it' }],
  ['#save-it', 'home', { page: 'home', anchor: 'save-it' }],
  ['../glossary.md', 'home', { page: 'glossary', anchor: '' }],
  ['../method.md', 'home', { page: '../method', anchor: '' }],
  ['method.md#returns', '../portfolio', { page: '../method', anchor: 'returns' }],
  ['guide/faq.md', '../ai-assistant', { page: 'faq', anchor: '' }],
  ['https://example.com/faq.md', 'home', undefined],
  ['/settings#openai', 'home', undefined],
  ['decisions/README.md', '../method', undefined],
  ['../images/home.webp', 'home', undefined],
])('the link %s of %s', (href, page, expected) => {
  expect(guideLink(href, page)).toEqual(expected)
})

it('glossary entries have a term, further names and one line of meaning, and end before the words of the code', () => {
  const text =
    '# Glossary\n\n## Figures\n\n- **Sharpe ratio** (Sharpe, SR): Return above cash\n  per unit of risk.\n- **seed**: A number.\n\n## In the code\n\n- **lease**: A right.\n'
  expect(glossaryEntries(text)).toEqual([
    { term: 'Sharpe ratio', names: ['sharpe ratio', 'sharpe', 'sr'], meaning: 'Return above cash per unit of risk.' },
    { term: 'seed', names: ['seed'], meaning: 'A number.' },
  ])
})

it('Markdown reads as plain words', () => {
  expect(plainWords('Use `SPY?L=2`, **twice**, see [the\nFAQ](faq.md).')).toBe('Use SPY?L=2, twice, see the FAQ.')
})
