import type { SearchReport } from '@tradewright/engine/optimizer/report'
import { expect, it } from 'vitest'
import { luckOf } from './run.ts'

const good = { value: 0.979, verdict: 'good' as const, words: 'Unlikely to be luck', sentence: 'It is good.' }

/** As much of a report as is read. */
const reportWith = (details: object) =>
  ({
    details,
    luck: { holdOut: good, deflated: good, overfitting: good, stability: good, summary: good, luckySharpe: 1 },
  }) as unknown as SearchReport

it('withdraws verdicts of runs that were never compared with holding', () => {
  const { holdOut, deflated, summary, overfitting } = luckOf(reportWith({}))
  expect([holdOut.verdict, deflated.verdict, summary.verdict]).toEqual(['unknown', 'unknown', 'unknown'])
  expect(summary.sentence).toContain('rerun it')
  expect(overfitting).toEqual(good)
})

it('leaves others as they are', () => {
  const report = reportWith({ holding: { sharpe: 1, cagr: 0.1 } })
  expect(luckOf(report)).toBe(report.luck)
})
