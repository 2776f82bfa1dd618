import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createStepLog, readStepLog, stepJobKind } from '../../test-support/step-job-kind.ts'
import { startStepWorker } from '../../test-support/step-worker-process.ts'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { openTestJobs } from '../../test-support/test-jobs.ts'
import { createTestUser } from '../../test-support/test-user.ts'
import { enqueueJob, findJob } from './job-watch.ts'

let test: TestDatabase
const workers: ChildProcess[] = []
beforeAll(async () => {
  test = await createTestDatabase()
  await createStepLog(test.database)
})
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await test.close()
})

async function startWorker(): Promise<ChildProcess> {
  const worker = await startStepWorker(test.url)
  workers.push(worker)
  return worker
}

// The carrier notices a silent worker after ten seconds at the earliest, so this takes its time.
it('finishes the job of a killed worker in another one, from its checkpoint', async () => {
  const user = await createTestUser(test.database, 'ann')
  const kind = stepJobKind(test.database)
  await using web = await openTestJobs(test.url, [kind], { run: false })
  const first = await startWorker()
  const { job } = await enqueueJob(web, kind, { userId: user, subject: 'steps', input: { steps: 5, haltAfter: 3 } })
  await expect.poll(async () => (await findJob(web, user, job.id)).checkpoint).toEqual({ step: 3 })
  const second = await startWorker()
  first.kill('SIGKILL')
  expect(await web.watch.result(user, job.id)).toEqual({ process: second.pid })
  expect(await readStepLog(test.database, job.id)).toEqual([
    { step: 1, process: first.pid },
    { step: 2, process: first.pid },
    { step: 3, process: first.pid },
    { step: 4, process: second.pid },
    { step: 5, process: second.pid },
  ])
  expect(await findJob(web, user, job.id)).toMatchObject({
    state: 'completed',
    attempts: 2,
    progress: { fraction: 1, note: 'step 5 of 5' },
  })
})
