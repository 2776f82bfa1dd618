import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import { sql } from 'kysely'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { longForm, type Runs, runsOf } from '../../test-support/optimization.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'
import { register } from '../../test-support/visitor.ts'
import { projectFolder } from '../config.ts'

let server: TestApp
let runs: Runs
const workers: ChildProcess[] = []
/** Workers share the store of prices as they share the database. */
let dataDir: string
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  runs = runsOf(server, await register(server))
})
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await server.close()
})

/** The real worker program, in a process of its own. */
async function startWorker(): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [join(projectFolder, 'apps/server/src/worker.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      DATABASE_URL: server.database.url,
      COMPUTE_THREADS: '1',
      APP_SECRET: 'a secret that only tests know',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  workers.push(worker)
  await new Promise<void>((resolve) =>
    worker.stdout.on('data', (text: Buffer) => text.includes('taking jobs') && resolve()),
  )
  return worker
}

/** Which processes have worked on jobs of this kind of this run, by their ids. */
async function processesOf(run: number, kind: string): Promise<number[]> {
  const { rows } = await sql<{ worker_id: string }>`
    SELECT DISTINCT worker_id FROM jobs WHERE subject = ${String(run)} AND kind = ${kind} AND worker_id IS NOT NULL`.execute(
    server.database.database,
  )
  return rows.map(({ worker_id: id }) => Number(id.split(' ').at(-2)))
}

/** Slow enough that nobody is done before the others are killed. */
const form = { ...longForm, generations: 8, n_estimators: 150 }
const ended = async (id: number): Promise<OptimizationRun> => {
  await expect.poll(async () => (await runs.get(id)).status, { timeout: 120_000 }).toBe('completed')
  return runs.get(id)
}
const outcome = ({ generation_history: history, results }: OptimizationRun) => {
  const { runtime_seconds: _, evaluations_per_second: _speed, optimized_strategy: strategy, ...found } = results!
  return { history, found, features: strategy.features }
}

// The carrier notices a silent worker after ten seconds at the earliest, so this takes its time.
it('ends the same, to the last bit, when workers are killed in the middle', { timeout: 300_000 }, async () => {
  dataDir = temporaryFolder()
  const first = await startWorker()
  const calm = outcome(await ended(await runs.start(form)))

  // The only worker, which arranges the run and evaluates, dies; another goes on from the last generation.
  const interrupted = await runs.start(form)
  await expect
    .poll(async () => (await runs.get(interrupted)).current_generation, { timeout: 60_000 })
    .toBeGreaterThan(2)
  first.kill('SIGKILL')
  const second = await startWorker()
  const seen = (await runs.get(interrupted)).current_generation
  expect(seen).toBeLessThan(8)
  expect(outcome(await ended(interrupted))).toEqual(calm)

  // Two workers share one run; the one that only helps dies, and its part is redone.
  const third = await startWorker()
  const shared = await runs.start(form)
  await expect
    .poll(async () => new Set(await processesOf(shared, 'optimizer-chunk')), { timeout: 60_000 })
    .toEqual(new Set([second.pid, third.pid]))
  const [arranging] = await processesOf(shared, 'optimizer')
  const helping = arranging === second.pid ? third : second
  helping.kill('SIGKILL')
  expect((await runs.get(shared)).current_generation).toBeLessThan(8)
  expect(outcome(await ended(shared))).toEqual(calm)
})
