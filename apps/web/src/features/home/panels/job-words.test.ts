import { expect, it } from 'vitest'
import { jobWords } from './panel.tsx'

it('names each job as its screen does, and leads there', () => {
  const subject = '0f8fad5b-d9cb-469f-a165-70867728950e'
  expect(jobWords({ kind: 'backtest', subject, strategy_name: 'Sixty forty' })).toEqual({
    name: 'Backtest, Sixty forty',
    path: '/backtest',
  })
  expect(jobWords({ kind: 'backtest', subject, strategy_name: null }).name).toBe('Backtest')
  expect(jobWords({ kind: 'optimizer', subject: '12', strategy_name: null })).toEqual({
    name: 'Optimizer run 12',
    path: '/optimizer?run=12',
  })
  expect(jobWords({ kind: 'data-collection', subject: 'Nightly', strategy_name: null }).name).toBe(
    'Collection, Nightly',
  )
})
