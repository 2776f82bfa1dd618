import { expect, it } from 'vitest'
import { robustnessTools } from './research-tools.ts'

it('tells a figure of zero as zero, and one that is not there as missing', async () => {
  const outcome = (key: string, judgement: object | null) => ({ key, label: key, judgement, notAvailable: null })
  const board = {
    verdict: { words: 'Mixed', sentence: 'Two checks.', passed: 0, cautions: 1, failed: 0 },
    seed: 1,
    outcomes: [
      outcome('delay', { verdict: 'caution', words: 'Caution', value: 0, sentence: 'Nothing is left.' }),
      outcome('costs', null),
    ],
  }
  const stored = { board, fingerprint: 'f', changedSeries: null, computedAt: '2026-03-02' }
  const deps = {
    backtests: { findBoard: async () => ({ board: stored }) },
    jobs: { findBySubject: async () => undefined },
  } as unknown as Parameters<typeof robustnessTools>[0]
  const tool = robustnessTools(deps).find(({ name }) => name === 'get_robustness_report')!
  const { data } = await tool.run({ userId: 1 } as never, { backtest_id: 1 })
  const { checks } = data as { checks: { key: string; value: number | null }[] }
  expect(checks.map(({ key, value }) => [key, value])).toEqual([
    ['delay', 0],
    ['costs', null],
  ])
})
