import { expect, it } from 'vitest'
import { comparedRows } from './compared-rows.ts'
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
