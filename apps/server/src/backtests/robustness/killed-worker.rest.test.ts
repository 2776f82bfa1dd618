import { BacktestAnswer } from '@tradewright/contract/backtests'
import { getRobustness } from '@tradewright/contract/robustness'
import { sql } from 'kysely'
import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { startWorkerProgram } from '../../../test-support/program.ts'
import { studyForm } from '../../../test-support/studies.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestApp
let ann: RegisteredUser
const workers: ChildProcess[] = []
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  ann = await register(server)
})
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await server.close()
})

async function startWorker(): Promise<ChildProcess> {
  const worker = await startWorkerProgram(server.database.url)
  workers.push(worker)
  return worker
}

const pathOf = (id: number) => `/api/backtests/${id}/robustness`
const read = async (id: number) =>
  getRobustness.answer.parse(
    (await server.app.inject({ method: 'GET', url: pathOf(id), headers: headersOf(ann) })).json(),
  )
const start = async (id: number) =>
  expect((await post(server, pathOf(id), {}, headersOf(ann))).json()).toHaveProperty('job_id')
const ended = async (id: number) => {
  await expect.poll(async () => (await read(id)).job, { timeout: 120_000, interval: 100 }).toBeNull()
  return (await read(id)).board!
}

/** Pieces of the board: by the process that did them, and how many have ended. */
async function pieces(id: number) {
  const { rows } = await sql<{ process: string; has_ended: boolean }>`
    SELECT split_part(worker_id, ' ', -2) AS process, finished_at IS NOT NULL AS has_ended FROM jobs
    WHERE kind = 'robustness-piece' AND subject = ${String(id)} AND worker_id IS NOT NULL`.execute(
    server.database.database,
  )
  return { processes: new Set(rows.map(({ process }) => process)), ended: rows.filter((row) => row.has_ended).length }
}

// The carrier notices a silent worker after ten seconds at the earliest, so this takes its time.
it('divides a board over workers, and ends the same when one of them is killed', { timeout: 300_000 }, async () => {
  const killed = await startWorker()
  // Hours, so that it takes longer than the process that begins it stays alone.
  const form = { ...allocationForm, ...studyForm.backtest, startDate: '2012-01-03', dataGranularity: 'hourly' }
  const id = BacktestAnswer.parse((await postBacktest(server, ann, form)).json()).result_id
  await start(id)
  await expect.poll(async () => (await pieces(id)).ended).toBeGreaterThan(0)
  killed.kill('SIGSTOP')
  expect((await read(id)).job).not.toBeNull()
  await startWorker()
  killed.kill('SIGKILL')
  const interrupted = await ended(id)
  await startWorker()
  await start(id)
  await expect.poll(async () => (await pieces(id)).processes.size).toBe(2)
  const divided = await ended(id)
  expect(divided.computed_at).not.toBe(interrupted.computed_at)
  expect(divided.checks).toEqual(interrupted.checks)
  // Nothing of the work stays.
  expect((await pieces(id)).ended).toBe(0)
  expect((await sql`SELECT FROM robustness_work`.execute(server.database.database)).rows).toEqual([])
})
