import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import { sql } from 'kysely'
import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { longForm, type Runs, runsOf } from '../../test-support/optimization.ts'
import { startWorkerProgram } from '../../test-support/program.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'
import { register } from '../../test-support/visitor.ts'

let server: TestApp
let runs: Runs
const workers: ChildProcess[] = []
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  runs = runsOf(server, await register(server))
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

interface Work {
  readonly state: string
  readonly attempts: number
  /** The process that has it, or had it last. */
  readonly process: number
}

/** The jobs of this kind of a run that some process has begun; `isNested`: those of searches before nested windows. */
async function begun(run: number, kind: 'optimizer' | 'optimizer-chunk', isNested = false): Promise<Work[]> {
  const { rows } = await sql<{ state: string; attempts: number; worker_id: string }>`
    SELECT state, attempts, worker_id FROM jobs
    WHERE subject = ${String(run)} AND kind = ${kind} AND worker_id IS NOT NULL
      AND (input ? 'window') = ${isNested}`.execute(server.database.database)
  return rows.map(({ state, attempts, worker_id: id }) => ({ state, attempts, process: Number(id.split(' ').at(-2)) }))
}

const form = { ...longForm, generations: 8, n_estimators: 100 }

/** A run that this worker arranges, because the other one is stopped while it begins. */
async function arrangedBy(worker: ChildProcess, other: ChildProcess): Promise<number> {
  other.kill('SIGSTOP')
  const id = await runs.start(form)
  await expect.poll(async () => (await begun(id, 'optimizer')).length).toBe(1)
  other.kill('SIGCONT')
  expect((await begun(id, 'optimizer'))[0]!.process).toBe(worker.pid)
  return id
}

/** Stops the worker at a moment at which the claim holds; what it does from then on, it does not do. */
async function freezeWhen(worker: ChildProcess, holds: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(
      async () => {
        worker.kill('SIGSTOP')
        if (await holds()) return true
        worker.kill('SIGCONT')
        return false
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBe(true)
}

const ended = async (id: number): Promise<OptimizationRun> => {
  await expect.poll(async () => (await runs.get(id)).status, { timeout: 120_000, interval: 250 }).toBe('completed')
  return runs.get(id)
}
const outcome = ({ generation_history: history, results }: OptimizationRun) => {
  const { runtime_seconds: _, evaluations_per_second: _speed, optimized_strategy: strategy, ...found } = results!
  return { history, found, features: strategy.features }
}

// The carrier notices a silent worker after ten seconds at the earliest, so this takes its time.
it(
  'ends the same, to the last bit, when a worker that arranges one run and helps with another is killed',
  { timeout: 300_000 },
  async () => {
    const [killed, survivor] = await Promise.all([startWorker(), startWorker()])
    const arranged = await arrangedBy(killed, survivor)
    const helped = await arrangedBy(survivor, killed)
    const isInTheMiddle = async () => {
      const { current_generation: generation } = await runs.get(arranged)
      const parts = await begun(helped, 'optimizer-chunk')
      return generation > 0 && parts.some(({ state, process }) => state === 'running' && process === killed.pid)
    }
    await freezeWhen(killed, isInTheMiddle)
    expect((await runs.get(arranged)).current_generation).toBeLessThan(8)
    killed.kill('SIGKILL')

    const outcomes = [outcome(await ended(arranged)), outcome(await ended(helped))]
    // The one goes on in the other process; the other one never stopped, only a part of it was done again.
    expect(await begun(arranged, 'optimizer')).toEqual([{ state: 'completed', attempts: 2, process: survivor.pid }])
    expect(await begun(helped, 'optimizer')).toEqual([{ state: 'completed', attempts: 1, process: survivor.pid }])
    const calm = outcome(await ended(await runs.start(form)))
    expect(outcomes).toEqual([calm, calm])
  },
)

const nested = { ...longForm, generations: 2, n_estimators: 100, nested_walk_forward: true, nested_windows: 2 }

it(
  'searches before nested windows come out the same, to the last bit, on two workers and on one',
  { timeout: 300_000 },
  async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    const [first, second] = await Promise.all([startWorker(), startWorker()])
    const id = await runs.start(nested)
    // Pieces of the searches before windows go with the end of the run.
    const helpers = async () => new Set((await begun(id, 'optimizer-chunk', true)).map(({ process }) => process))
    await expect.poll(helpers, { timeout: 120_000, interval: 20 }).toEqual(new Set([first.pid, second.pid]))
    const onBoth = await ended(id)
    second.kill('SIGKILL')
    const onOne = await ended(await runs.start(nested))
    expect(onOne.results!.nested_walk_forward!.windows).toHaveLength(2)
    expect(outcome(onOne)).toEqual(outcome(onBoth))
  },
)

it(
  'ends the same, to the last bit, when the only worker is killed in the search before a nested window',
  { timeout: 300_000 },
  async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    const killed = await startWorker()
    const id = await runs.start(nested)
    // In the search before a window, one piece is done and another at work.
    const isInTheMiddle = async () => {
      const states = new Set((await begun(id, 'optimizer-chunk', true)).map(({ state }) => state))
      return states.has('completed') && states.has('running')
    }
    await freezeWhen(killed, isInTheMiddle)
    expect((await runs.get(id)).status).toBe('running')
    killed.kill('SIGKILL')
    const survivor = await startWorker()
    const interrupted = await ended(id)
    expect(await begun(id, 'optimizer')).toEqual([{ state: 'completed', attempts: 2, process: survivor.pid }])
    expect(interrupted.results!.nested_walk_forward!.windows).toHaveLength(2)
    expect(outcome(interrupted)).toEqual(outcome(await ended(await runs.start(nested))))
  },
)
