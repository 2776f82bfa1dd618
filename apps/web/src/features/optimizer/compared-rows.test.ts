import { expect, it } from 'vitest'
import { comparedRows, firstCompared } from './compare-modal.tsx'
import { sampleRun } from './test-support/sample-run.ts'

it('puts the figures of runs side by side, and says where a run has none', () => {
  const rows = comparedRows([sampleRun(), sampleRun({ id: 13, status: 'failed', results: null })])
  const cellsOf = (label: string) => rows.find((row) => row.label === label)?.cells
  expect(cellsOf('Best fitness')).toEqual(['56.78% Accuracy', 'N/A'])
  expect(cellsOf('Deflated Sharpe')).toEqual(['42.0%, Likely luck', 'N/A'])
  expect(cellsOf('Best target')).toEqual([sampleRun().results!.best_target.target_label, 'N/A'])
  expect(cellsOf('Status')).toEqual(['completed', 'failed'])
  expect(cellsOf('Seed')).toEqual(['7', '7'])
})

it('begins with the two newest runs that found anything, not with one that failed', () => {
  const ended = [
    { id: 9, best_fitness: null },
    { id: 8, best_fitness: 0.6 },
    { id: 7, best_fitness: 0 },
    { id: 6, best_fitness: 0.5 },
  ]
  expect(firstCompared(ended)).toEqual([8, 7])
})
