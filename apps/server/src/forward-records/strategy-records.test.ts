import { dateOf } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { strategyOf } from '../../test-support/live/fake-signal-service.ts'
import type { LiveDeps } from '../live-trading/deps.ts'
import type { RunnableStrategy } from '../live-trading/deployment.ts'
import type { ForwardRecord } from './ports.ts'
import { recordDecision } from './strategy-records.ts'

const session = dateOf('2026-03-03')
const now = new Date('2026-03-03T21:30:00Z')
const modelOf = (window: number) => ({
  window,
  after: now,
  bytes: new Uint8Array(),
  checksum: `checksum of ${window}`,
  nextAt: null,
})

it('a decision is proven by the model that made it, also when a newer one is there', async () => {
  const written: { model: string | undefined }[] = []
  const records = {
    models: async () => [modelOf(3), modelOf(4)],
    appendStrategy: async (_: number, decision: { model: string | undefined }) => void written.push(decision),
  }
  const signal = {
    dataAsOf: session * 86_400_000,
    prediction: 1,
    modelVersion: 3,
    allocation: new Map([['SPY', 100]]),
    fingerprint: 'f',
  }
  const deps = {
    database: { records, transaction: (work: (stores: object) => unknown) => work({ records }) },
    signalService: { signal: async () => ({ signal, prices: new Map([['SPY', 400]]), synthetic: [] }) },
    clock: { now: () => now },
    signal: new AbortController().signal,
  } as unknown as LiveDeps
  const strategy = { ...strategyOf({ SPY: 100 }), model: { kind: 'linear' } } as unknown as RunnableStrategy
  const schedule = { nextSession: session, dueAt: now, missed: [], problem: null, strategy }
  const record = { id: 1, userId: 1, strategyId: 1, schedule } as unknown as ForwardRecord
  await recordDecision(deps, record)
  expect(written.map(({ model }) => model)).toEqual(['checksum of 3'])
})
