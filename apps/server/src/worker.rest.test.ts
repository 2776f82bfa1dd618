import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { programFile } from '../test-support/program-files.ts'
import { compileCache } from '../test-support/program.ts'
import { temporaryFolder } from '../test-support/temporary-folder.ts'
import { createTestDatabase } from '../test-support/test-database.ts'

function startWorker(environment: Record<string, string>) {
  const worker = spawn(process.execPath, [programFile('worker')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      LOG_LEVEL: 'warn',
      DATA_DIR: temporaryFolder(),
      ...compileCache,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void worker.kill('SIGKILL'))
  let output = ''
  for (const stream of [worker.stdout, worker.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { worker, output: () => output }
}

it('says in one line that it needs a database', async () => {
  const { worker, output } = startWorker({})
  const [code] = (await once(worker, 'close')) as [number]
  expect(code).toBe(1)
  expect(output()).toMatch(/^A worker shares a database with a web process: set DATABASE_URL[^\n]*\n$/)
})

it('takes jobs until it is told to stop, and stops cleanly', async () => {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  const { worker, output } = startWorker({ DATABASE_URL: test.url, COMPUTE_THREADS: '2' })
  await expect.poll(output).toBe('Tradewright worker is taking jobs, with 2 compute threads\n')
  worker.kill('SIGTERM')
  expect(await once(worker, 'close')).toEqual([0, null])
})

it('ends when it is told to stop although its start waits for the database', async () => {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  const migrating = await test.pool.connect()
  // As another process that migrates, and stands still.
  await migrating.query('BEGIN')
  await migrating.query('LOCK TABLE kysely_migration IN ACCESS EXCLUSIVE MODE')
  const { worker } = startWorker({ DATABASE_URL: test.url, COMPUTE_THREADS: '1', FINISH_SECONDS: '0' })
  const waiting = async () => {
    const { rows } = await test.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  await expect.poll(waiting).toBeGreaterThan(0)
  worker.kill('SIGTERM')
  expect(await once(worker, 'close')).toEqual([1, null])
  await migrating.query('ROLLBACK')
  migrating.release()
})
