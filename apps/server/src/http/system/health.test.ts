import type { SystemHealth } from '@tradewright/contract/health'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { processHealth } from '../../process-health.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())

it('tells everybody whether it is up, and nothing else', async () => {
  const answer = await server.app.inject('/health')
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }])
})

it('keeps the details for those who are signed in', async () => {
  expect((await server.app.inject('/api/health')).statusCode).toBe(401)
})

it('tells how process, database, queue and live trading are doing', async () => {
  const ann = await caller(server)
  const before = processHealth.unhandledRejections.count
  processHealth.unhandledRejections.add()
  await expect.poll(async () => (await health(ann)).live_trading.last_beat_at).not.toBeNull()
  const found = await health(ann)
  expect(found.process).toMatchObject({ restarts: 0, last_end: null })
  expect(found.process.unhandled_rejections).toEqual({ count: before + 1, last_at: expect.any(String) })
  expect(found.process.event_loop_delay_ms!.p99).toBeGreaterThanOrEqual(0)
  expect(found.database).toMatchObject({ is_own: false, is_listening: true, connections: { limit: 5 } })
  expect(found.jobs).toEqual({ queued: 0, running: 0 })
  expect(found.live_trading).toMatchObject({ running: 0, unattended: 0 })
})

const health = async (user: Awaited<ReturnType<typeof caller>>): Promise<SystemHealth> =>
  (await user.get('/api/health')).json()
