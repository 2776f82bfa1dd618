import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { differences } from './differences.ts'
import { marketFiles } from './market.ts'

describe('differences', () => {
  const before = { libraries: { numpy: '1.24.2' }, values: { sharpe: 0.5, months: [0.01, null] } }

  it('names the path of each value that changed, came or went', () => {
    const now = { libraries: { numpy: '2.0.0' }, values: { sharpe: 0.6, months: [0.01, 0.02, 0.03] } }
    expect(differences(before, now)).toEqual([
      { path: 'libraries.numpy', before: '1.24.2', now: '2.0.0' },
      { path: 'values.sharpe', before: 0.5, now: 0.6 },
      { path: 'values.months.1', before: null, now: 0.02 },
      { path: 'values.months.2', before: undefined, now: 0.03 },
    ])
    expect(differences(undefined, 1)).toEqual([{ path: '', before: undefined, now: 1 }])
  })

  it('leaves out the last digits, which depend on the processor', () => {
    expect(differences(before, { ...before, values: { sharpe: 0.5 + 1e-12, months: [0.01, null] } })).toEqual([])
  })
})

describe('the committed market', () => {
  it.each([...marketFiles()])('%s holds what the sample market says; else run npm run reference', (name, text) => {
    expect(readFileSync(new URL(`market/${name}`, import.meta.url), 'utf8') === text).toBe(true)
  })
})
