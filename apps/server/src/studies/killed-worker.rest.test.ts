import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorkerProgram } from '../../test-support/program.ts'
import { longStudyForm, studiesOf } from '../../test-support/studies.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'
import { register } from '../../test-support/visitor.ts'

let server: TestApp
let studies: ReturnType<typeof studiesOf>
const workers: ChildProcess[] = []
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  studies = studiesOf(server, await register(server))
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

/** A quarter of the variants of the long study: seconds, in which the worker dies. */
const form = {
  ...longStudyForm,
  numbers: longStudyForm.numbers.map(({ path, from, to, step }) => ({ path, from, to, step: step * 2 })),
}

// The carrier notices a silent worker after ten seconds at the earliest, so this takes its time.
it(
  'ends the same, to the last digit, on one worker and on two of which one is killed',
  { timeout: 300_000 },
  async () => {
    const killed = await startWorker()
    const id = await studies.start(form)
    await expect.poll(async () => (await studies.get(id)).evaluated).toBeGreaterThan(0)
    killed.kill('SIGSTOP')
    const { evaluated, variants } = await studies.get(id)
    expect(evaluated).toBeLessThan(variants)
    await startWorker()
    killed.kill('SIGKILL')
    const interrupted = await studies.ended(id)
    const calm = await studies.ended(await studies.start(form))
    expect(interrupted.status).toBe('completed')
    expect(interrupted.evaluated).toBe(variants)
    expect(interrupted.results).toEqual(calm.results)
  },
)
