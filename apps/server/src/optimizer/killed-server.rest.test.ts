import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import { expect, it } from 'vitest'
import { longForm } from '../../test-support/optimization.ts'
import { startProgram, type RunningProgram } from '../../test-support/program.ts'
import { readyDataDir } from '../../test-support/ready-data-dir.ts'

const form = { ...longForm, generations: 5, n_estimators: 80, wait: false }

/** Calls of one user to a program that may be another one later. */
async function signedUp(program: RunningProgram) {
  const send = (path: string, body: object, token = '') =>
    fetch(program.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
  const answer = await send('/api/register', { username: 'ann', password: 'correct horse battery' })
  const { token } = (await answer.json()) as { token: string }
  const start = async () => {
    const started = await send('/api/feature-optimization', form, token)
    return ((await started.json()) as { run_id: number }).run_id
  }
  const read = async (id: number, at = program): Promise<OptimizationRun> => {
    const headers = { authorization: `Bearer ${token}` }
    return (await (await fetch(`${at.url}/api/optimization-runs/${id}`, { headers })).json()) as OptimizationRun
  }
  return { start, read }
}

// The program with its own database, as `npm start` runs it: evaluations go straight to its threads.
it(
  'goes on after the whole program was killed, and ends as if nothing had happened',
  { timeout: 240_000 },
  async () => {
    const environment = { DATA_DIR: readyDataDir() }
    const first = await startProgram(environment)
    const { start, read } = await signedUp(first)
    const calm = await start()
    await expect.poll(async () => (await read(calm)).status, { timeout: 90_000 }).toBe('completed')
    const interrupted = await start()
    await expect.poll(async () => (await read(interrupted)).current_generation).toBeGreaterThan(1)
    expect((await read(interrupted)).status).toBe('running')
    await first.stop('SIGKILL')

    const second = await startProgram(environment)
    await expect.poll(async () => (await read(interrupted, second)).status, { timeout: 120_000 }).toBe('completed')
    const [whole, resumed] = [await read(calm, second), await read(interrupted, second)]
    expect(resumed.generation_history).toEqual(whole.generation_history)
    expect(resumed.results!.best_features).toEqual(whole.results!.best_features)
    expect(resumed.results!.luck).toEqual(whole.results!.luck)
    expect(await second.stop()).toBe(0)
  },
)
