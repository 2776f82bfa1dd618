import { MINUTE } from '@tradewright/core/time'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { expect, it } from 'vitest'
import type { RunnableStrategy } from '../live-trading/deployment.ts'
import type { LiveDeps } from '../live-trading/deps.ts'
import type { ForwardRecord } from './ports.ts'
import { currentModels } from './strategy-records.ts'

const now = new Date('2026-03-02T21:30:00Z')
const newest = { window: 4, sizedOnRows: 500, nextAt: now, after: now, checksum: 'sha', bytes: new Uint8Array() }
const strategy = {
  request: { strategy: { kind: 'ml', walkForward: {} } },
  model: { kind: 'linear' },
  provider: 'sample',
} as unknown as RunnableStrategy

/** When the model of a record is looked for again, which is not due before `nextAt`. */
async function lookedForAgain(nextAt: number): Promise<Date | undefined> {
  let postponed: Date | undefined
  const deps = {
    database: {
      records: {
        models: async () => [newest],
        postponeModel: async (_: number, window: number, until: Date) => {
          expect(window).toBe(4)
          postponed = until
        },
      },
    },
    signalService: { retrain: async () => ({ model: undefined, nextAt }) },
  } as unknown as LiveDeps
  const record = { id: 1, userId: 1, createdAt: now } as ForwardRecord
  await currentModels(deps, { record, strategy, request: {} as BacktestRequest, now })
  return postponed
}

it('waits for the moment at which the next model is due', async () => {
  const nextWeek = now.getTime() + 7 * 24 * 60 * MINUTE
  expect(await lookedForAgain(nextWeek)).toEqual(new Date(nextWeek))
})

it('waits a quarter of an hour where the bar that should be there has not come', async () => {
  expect(await lookedForAgain(now.getTime() - MINUTE)).toEqual(new Date(now.getTime() + 15 * MINUTE))
})
