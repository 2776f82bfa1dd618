import { expect, it } from 'vitest'
import { exampleChange } from '../optimizer-screen.tsx'
import { newForm } from './form.ts'
import { refusalOf, warningsOf } from './form-request.ts'

const entry = (id: number, key: string) => ({
  id,
  key,
  name: key,
  description: '',
  source: '',
  config: { params_def: [] },
})

it('makes a new form one that can be run, and leaves its other settings alone', () => {
  const form = newForm('2026-11-17')
  expect(warningsOf(form)).not.toEqual([])
  const change = exampleChange([entry(1, 'rsi'), entry(2, 'something_else')], [entry(4, 'next_bar_direction')])
  const filled = { ...form, ...change }
  expect([warningsOf(filled), refusalOf(filled)]).toEqual([[], null])
  expect(filled.featureTypes.map(({ id }) => id)).toEqual([1])
  expect(Object.keys(change).sort()).toEqual(['featureTypes', 'target', 'targetListId', 'targetTickers'])
})
