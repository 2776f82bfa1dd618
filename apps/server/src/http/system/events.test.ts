import { JobEvent } from '@tradewright/contract/events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readEvents, type EventReader } from '../../../test-support/event-reader.ts'
import { startProgram, type RunningProgram } from '../../../test-support/program.ts'
import { createStepLog, stepJobKind } from '../../../test-support/step-job-kind.ts'
import { startStepWorker } from '../../../test-support/step-worker-process.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { openTestJobs } from '../../../test-support/test-jobs.ts'
import { enqueueJob } from '../../jobs/job-watch.ts'

let test: TestDatabase
let servers: [RunningProgram, RunningProgram]
const folder = mkdtempSync(join(tmpdir(), 'tradewright-events-'))
const startServer = () => startProgram({ DATABASE_URL: test.url, DATA_DIR: folder })
beforeAll(async () => {
  test = await createTestDatabase()
  await createStepLog(test.database)
  servers = await Promise.all([startServer(), startServer()])
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await test.close()
  rmSync(folder, { recursive: true })
})

/** For machines that are busy with something else. */
const WAIT = { timeout: 25_000 }

interface Registered {
  id: number
  headers: Record<string, string>
}

let people = 0
async function register(): Promise<Registered> {
  people += 1
  const body = JSON.stringify({ username: `person ${people}`, password: 'correct horse' })
  const answer = await fetch(`${servers[0].url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { id, token } = (await answer.json()) as { id: number; token: string }
  return { id, headers: { authorization: `Bearer ${token}` } }
}

async function listen(server: RunningProgram, person: Registered, more: Record<string, string> = {}) {
  const reader = await readEvents(server.url, { ...person.headers, ...more })
  reader.ended.catch(() => {})
  onTestFinished(() => reader.leave())
  return reader
}

const states = (reader: EventReader) => reader.events.map(({ data }) => JobEvent.parse(data).state)

describe('events', () => {
  it('tell how a job in another process goes, in every process, to its owner alone', async () => {
    const [ann, bob] = [await register(), await register()]
    const readers = [await listen(servers[0], ann), await listen(servers[1], ann), await listen(servers[1], bob)]
    const worker = await startStepWorker(test.url)
    onTestFinished(() => void worker.kill('SIGKILL'))
    const kind = stepJobKind(test.database)
    await using jobs = await openTestJobs(test.url, [kind], { run: false })
    const enqueue = (userId: number) =>
      enqueueJob(jobs, kind, { userId, subject: `of ${userId}`, input: { steps: 3, haltAfter: null } })
    const { job } = await enqueue(ann.id)
    for (const reader of readers.slice(0, 2)) {
      await expect.poll(() => states(reader).at(-1), WAIT).toBe('completed')
      expect(states(reader)).toContain('running')
      expect(reader.events.at(-1)).toMatchObject({
        event: 'job',
        data: {
          job_id: job.id,
          kind: 'steps',
          subject: `of ${ann.id}`,
          state: 'completed',
          progress: { fraction: 1, note: 'step 3 of 3' },
          error: null,
        },
      })
    }
    // Bob's own job comes after Ann's on the same channel: whatever was to reach Bob has done so by then.
    await enqueue(bob.id)
    await expect.poll(() => states(readers[2]!).at(-1), WAIT).toBe('completed')
    expect(readers[2]!.events.every(({ data }) => JobEvent.parse(data).subject === `of ${bob.id}`)).toBe(true)
  })

  it('come as a stream that nothing stores, compresses or holds back', async () => {
    const reader = await listen(servers[0], await register(), { 'accept-encoding': 'gzip, br' })
    expect(Object.fromEntries(reader.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    expect(reader.headers.get('content-encoding')).toBeNull()
    await expect.poll(() => reader.text(), WAIT).toContain('id: 0\n\n')
    expect(reader.events).toEqual([])
  })

  it('tell a client that connects again that it missed some', async () => {
    const reader = await listen(servers[0], await register(), { 'last-event-id': '7' })
    await expect.poll(() => reader.events, WAIT).toEqual([{ id: '1', event: 'resync', data: {} }])
  })

  it('tell everybody when messages between processes were lost', async () => {
    const readers = [await listen(servers[0], await register()), await listen(servers[1], await register())]
    await test.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'tradewright notifications'`,
    )
    for (const reader of readers) {
      await expect.poll(() => reader.events.map(({ event }) => event), WAIT).toEqual(['resync'])
    }
  })

  it('are refused without a session, and end with it', async () => {
    await expect(readEvents(servers[0].url, {})).rejects.toThrow('events answered 401')
    const ann = await register()
    const reader = await listen(servers[0], ann)
    await fetch(`${servers[1].url}/logout`, { method: 'POST', headers: ann.headers })
    await reader.ended
    await expect(readEvents(servers[0].url, ann.headers)).rejects.toThrow('events answered 401')
  })

  it('are limited to a few dozen streams a user', async () => {
    const ann = await register()
    const readers = await Promise.all(Array.from({ length: 30 }, () => listen(servers[0], ann)))
    await expect(readEvents(servers[0].url, ann.headers)).rejects.toThrow('events answered 429')
    readers[0]!.leave()
    await expect
      .poll(
        () =>
          listen(servers[0], ann).then(
            () => 'open',
            () => 'refused',
          ),
        WAIT,
      )
      .toBe('open')
    expect((await listen(servers[0], await register())).headers.get('content-type')).toContain('event-stream')
  })
})
