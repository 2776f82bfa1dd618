import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { HOW as backtest } from '../apps/web/src/features/backtest/results/figures/explanations.ts'
import { BOARD_POWER } from '../apps/web/src/features/backtest/results/robustness/words.ts'
import { HOW as deployment } from '../apps/web/src/features/live-trading/deployment/explanations.ts'
import { HOW as leadingIndicators } from '../apps/web/src/features/optimizer/leading-indicators/explanations.ts'
import { HOW as optimizer, HOW_LUCK as luck } from '../apps/web/src/features/optimizer/results/explanations.ts'
import { HOW as portfolio } from '../apps/web/src/features/portfolio-performance/messages.ts'
import { CAGR_METHOD_TEXTS } from '../packages/contract/src/portfolio.ts'
import { allMetrics } from '../packages/core/src/metric-catalogue.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const sections = new Map(
  readFileSync(join(root, 'docs/method.md'), 'utf8')
    .split(/^## /m)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
)

/** Entries of the form "- **CAGR** (`cagr`): definition. Source: …", each by its key, on one line. */
const entriesOf = (section: string) =>
  new Map(
    section
      .split(/\n- /)
      .map((entry) => entry.replaceAll(/\s+/g, ' ').trim())
      .flatMap((entry) => {
        const [, key, text] = /^\*\*[^*]+\*\* \(`(\w+)`\): (.*)$/.exec(entry) ?? []
        return key && text ? [[key, text] as const] : []
      }),
  )

describe.each<[section: string, texts: Readonly<Record<string, string>>]>([
  ['Figures of a result', { ...backtest, ...Object.fromEntries(allMetrics.map(({ key, how }) => [key, how])) }],
  ['Figures of an optimizer run', optimizer],
  ['Checks of luck', luck],
  ['Leading indicators', leadingIndicators],
  ['Figures of an account', portfolio],
  ['Methods of the return of an account', CAGR_METHOD_TEXTS],
  ['Figures of a deployment', deployment],
])('%s', (section, texts) => {
  const documented = entriesOf(sections.get(section) ?? '')

  it.each(Object.entries(texts))(
    '%s is explained by docs/method.md in the same words, with its source',
    (key, text) => {
      const entry = documented.get(key)
      // The long form of a backtest's accuracy has a section of its own.
      if (key !== 'accuracy' || section !== 'Figures of a result') expect(entry).toContain(text)
      expect(entry).toMatch(/ Source: .+\./)
    },
  )

  it('and the page explains no other', () => {
    expect([...documented.keys()].toSorted()).toEqual(Object.keys(texts).toSorted())
  })
})

it('docs/method.md states how far the verdict of the robustness board can be trusted as the screen does', () => {
  expect(sections.get('Robustness board')).toContain(BOARD_POWER)
})
