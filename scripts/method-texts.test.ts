import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { HOW } from '../apps/web/src/features/backtest/results/explanations.ts'
import { allMetrics } from '../packages/core/src/metric-catalogue.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const method = readFileSync(join(root, 'docs/method.md'), 'utf8')

/** Entries of the form "- **CAGR** (`cagr`): definition. Source: …", each by its key, on one line. */
const documented = new Map(
  method
    .slice(method.indexOf('## Figures of a result'), method.indexOf('## Significance of accuracy'))
    .split(/\n- /)
    .map((entry) => entry.replaceAll(/\s+/g, ' ').trim())
    .flatMap((entry) => {
      const [, key, text] = /^\*\*[^*]+\*\* \(`(\w+)`\): (.*)$/.exec(entry) ?? []
      return key && text ? [[key, text] as const] : []
    }),
)

const explained = { ...HOW, ...Object.fromEntries(allMetrics.map(({ key, how }) => [key, how])) }

it.each(Object.entries(explained))(
  '%s is explained by docs/method.md in the same words, with its source',
  (key, text) => {
    const entry = documented.get(key)
    // The long form of the accuracy has a section of its own.
    if (key !== 'accuracy') expect(entry).toContain(text)
    expect(entry).toMatch(/ Source: .+\./)
  },
)

it('and the page explains no other figure of a result', () => {
  expect([...documented.keys()].toSorted()).toEqual(Object.keys(explained).toSorted())
})
