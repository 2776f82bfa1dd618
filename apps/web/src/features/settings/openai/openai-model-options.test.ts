import { expect, it } from 'vitest'
import { modelOptions } from './openai-model-options.ts'

it('offers the four models before anything is known [SET-090]', () => {
  expect(modelOptions(undefined, 'gpt-4o-mini').map(({ value }) => value)).toEqual([
    'gpt-4o-mini',
    'gpt-4o',
    'gpt-4',
    'gpt-3.5-turbo',
  ])
})

it('marks what is gone or going, and keeps the one that is chosen', () => {
  const models = [
    { id: 'a', offered: true, shutdown_date: '2027-01-14' },
    { id: 'b', offered: false, shutdown_date: null },
  ]
  expect(modelOptions(models, 'llama3.1').map(({ label }) => label)).toEqual([
    'a (ends 2027-01-14)',
    'b (not offered)',
    'llama3.1',
  ])
})
