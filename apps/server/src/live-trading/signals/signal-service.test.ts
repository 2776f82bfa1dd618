import { expect, it } from 'vitest'
import { rulesData, rulesRequest } from '../../../test-support/live/rules-story.ts'
import { createSignalService } from './signal-service.ts'
import type { SignalDeps } from './signals.ts'

/** How work was given to the threads; none is done. */
function recordedLanes() {
  const lanes: unknown[] = []
  const run = async (_task: string, _payload: unknown, { lane }: { lane?: string }) => {
    lanes.push(lane)
    return { from: 0, to: 1, bytes: new Uint8Array() }
  }
  const { series } = rulesData()
  const source: SignalDeps['source'] = async () => ({ series, actions: new Map(), missing: [], substituted: [] })
  const compute = { run: run as SignalDeps['compute']['run'] }
  return { lanes, service: createSignalService({ source, compute, providersOf: async () => [] }) }
}

it('trains for a simulation in the lane of backtests, and for a deployment in that of live trading', async () => {
  const { lanes, service } = recordedLanes()
  const question = {
    userId: 1,
    request: rulesRequest,
    provider: 'sample',
    successors: [],
    choice: { kind: 'linear' } as never,
    training: { mode: 'full_range' } as const,
  }
  await service.train({ ...question, isTrial: true }, new AbortController().signal)
  await service.train(question, new AbortController().signal)
  // Undefined: the lane of the task.
  expect(lanes).toEqual(['interactive', undefined])
})
