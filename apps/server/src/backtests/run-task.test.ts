import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { sampleData } from '@tradewright/engine/backtest/test-support/market-files'
import { FROM, mlRequest, TO } from '@tradewright/engine/backtest/test-support/requests'
import { defaultBoostingSettings, type ModelChoice, defaultForestSettings } from '@tradewright/engine/models/settings'
import { choiceOf } from '@tradewright/engine/models/catalogue'
import { expect, it } from 'vitest'
import { createComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'

const registry = new URL('../workers/tasks.ts', import.meta.url)
const request: BacktestRequest = mlRequest({ walkForward: { trainPct: 50, testPct: 10, stepPct: 5 } })

async function runOn(threads: number, model: ModelChoice) {
  const compute = createComputePool<typeof tasks>({ threads, registry })
  const notes: (string | undefined)[] = []
  try {
    const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
    const onProgress = (_: number, note?: string) => notes.push(note)
    return {
      notes,
      outcome: await compute.run('backtests/run', { request, model, data }, { owner: 'ann', onProgress }),
    }
  } finally {
    await compute.close()
  }
}

it.each<ModelChoice>([
  { kind: 'boosting', settings: { ...defaultBoostingSettings, rounds: 60 } },
  { kind: 'forest', settings: { ...defaultForestSettings, trees: 80 } },
  { kind: 'linear' },
  choiceOf('extra-trees', { trees: 40 }),
])('a $kind run is the same to the last bit on one thread and on two', async (model) => {
  const [alone, helped] = [await runOn(1, model), await runOn(2, model)]
  expect(helped.outcome).toEqual(alone.outcome)
  expect(alone.outcome.result.ml!.walkForward!.windows).toHaveLength(9)
  expect(alone.notes.length).toBeGreaterThan(0)
})
