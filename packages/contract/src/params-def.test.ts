import { expect, it } from 'vitest'
import { Feature } from './features.ts'

const entry = { id: 1, key: 'rsi', name: 'RSI', description: '', source: '' }
const definition = { name: 'window', label: 'Window', type: 'int', default: 14, step: 1, description: 'Bars' }
const { name: _, ...unnamed } = definition
const read = (params_def: unknown) => Feature.parse({ ...entry, config: { params_def } }).config.params_def

it.each([
  ['a list', [definition]],
  ['a map', { window: unnamed }],
  ['the JSON text of a list', JSON.stringify([definition])],
  ['the JSON text of a map', JSON.stringify({ window: unnamed })],
])('reads the parameters of a feature from %s [BT-100]', (_writing, params_def) => {
  expect(read(params_def)).toEqual([
    { ...definition, readonly: false, required: false, options: null, min: null, max: null },
  ])
})

it('refuses what is no definition', () => {
  for (const nonsense of ['{', 7, [7], { window: { type: 'colour' } }]) expect(() => read(nonsense)).toThrow()
})
