import type { OperatorOverview } from '@tradewright/contract/operator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { createLog } from '../../log.ts'
import { outsideCalls } from '../../observe/process-counts.ts'
import { createInvitation } from '../../auth/admission.ts'
import { createInvitationStore } from '../../stores/auth/invitations.ts'
import { systemClock } from '../../system-clock.ts'

let server: TestApp
let operator: Caller
let other: Caller
beforeAll(async () => {
  server = await createTestApp({ environment: { REGISTRATION: 'open' } })
  operator = await caller(server)
  other = await caller(server)
})
afterAll(() => server.close())

const isOperator = async (user: Caller): Promise<boolean> =>
  (await user.get('/api/operator')).json<{ is_operator: boolean }>().is_operator

describe('the operator', () => {
  it('is the first account, and no other', async () => {
    expect([await isOperator(operator), await isOperator(other)]).toEqual([true, false])
    const answer = await other.get('/api/operator/overview')
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'route.unknown'])
  })

  it('is the account that the setting names', async () => {
    const { rows } = await server.database.pool.query<{ username: string }>(
      'SELECT username FROM users WHERE id = $1',
      [other.id],
    )
    const named = await createTestApp({
      database: server.database,
      environment: { OPERATOR_USER: rows[0]!.username.toUpperCase() },
    })
    try {
      const ask = (user: Caller) => named.app.inject({ url: '/api/operator', headers: user.headers })
      expect((await ask(other)).json()).toEqual({ is_operator: true })
      expect((await ask(operator)).json()).toEqual({ is_operator: false })
    } finally {
      await named.close()
    }
  })

  it('is not whoever registers the name of OPERATOR_USER: that takes an invitation, or being the first', async () => {
    const named = await createTestApp({ environment: { OPERATOR_USER: 'Chief' } })
    const join = async (username: string, invite?: string) => {
      const payload = { username, password: 'long enough', ...(invite !== undefined && { invite }) }
      return (await named.app.inject({ method: 'POST', url: '/api/register', payload })).statusCode
    }
    try {
      expect(await join('somebody')).toBe(200)
      expect(await join('chief')).toBe(409)
      expect(await join('CHIEF', 'x'.repeat(43))).toBe(409)
      const invitations = createInvitationStore(named.database.database)
      const { token } = await createInvitation({ invitations, clock: systemClock }, 1)
      expect(await join('chief', token)).toBe(200)
    } finally {
      await named.close()
    }
  })

  it('is not inherited when the first account is deleted', async () => {
    const alone = await createTestApp()
    try {
      const [first, second] = [await caller(alone), await caller(alone)]
      expect(await isOperator(first)).toBe(true)
      await alone.database.pool.query('DELETE FROM users WHERE id = $1', [first.id])
      expect(await isOperator(second)).toBe(false)
    } finally {
      await alone.close()
    }
  })

  it('sees processes, services with their limits, storage and versions', async () => {
    outsideCalls.noteLimit('yahoo', { calls: 1, windowMillis: 300 })
    outsideCalls.record('yahoo', 'network', 0.1)
    const second = await createTestApp({ database: server.database })
    try {
      const overview = async () => (await operator.get('/api/operator/overview')).json<OperatorOverview>()
      await expect.poll(async () => (await overview()).processes.length).toBe(2)
      const found = await overview()
      expect(found.users).toBe(2)
      expect(found.processes[0]).toMatchObject({ kind: 'web', version: found.version, pid: process.pid })
      expect(found.storage.disk_free_bytes).toBeGreaterThan(0)
      expect(found.storage.database_bytes).toBeGreaterThan(1e6)
      const yahoo = found.services.find(({ service }) => service === 'yahoo')
      expect(yahoo).toMatchObject({ is_broker: false, limit: { calls: 1, window_seconds: 0.3 } })
      expect(yahoo!.unreachable).toBeGreaterThan(0)
    } finally {
      await second.close()
    }
    const { rows } = await server.database.pool.query('SELECT FROM process_reports')
    expect(rows.length, 'the report of a process that has closed').toBe(1)
  })

  it('sees what failed, and nothing of whose work it was', async () => {
    const lines: string[] = []
    const log = createLog({ logLevel: 'error' }, { write: (line) => void lines.push(line) })
    const error = Object.assign(new Error('no room for the strategy "Retire at 40"'), { code: '53100' })
    log.child({ job: 'the job of ann' }).error({ err: error, ticker: 'VOD.L' }, 'a job failed unexpectedly')
    expect(lines.join('')).toContain('Retire at 40')
    const again = await createTestApp({ database: server.database })
    try {
      const text = async () => (await operator.get('/api/operator/overview')).body
      await expect.poll(text).toContain('a job failed unexpectedly')
      for (const word of ['Retire', 'VOD.L', 'ann']) expect(await text()).not.toContain(word)
    } finally {
      await again.close()
    }
  })

  it('sees failed jobs by kind and cause, and nothing of what they were about', async () => {
    const { pool } = server.database
    const fail = (user: Caller, error: object, ago: string) =>
      pool.query(
        `INSERT INTO jobs (id, user_id, kind, subject, input, state, error, attempts, cancel_requested, delivery_id,
           created_at, updated_at, finished_at)
         VALUES (gen_random_uuid(), $1, 'backtest', 'Retire at 40', '{"ticker": "VOD.L"}', 'failed', $2, 1, false,
           gen_random_uuid(), now(), now(), now() - $3::interval)`,
        [user.id, JSON.stringify(error), ago],
      )
    const missing = { kind: 'upstream', code: 'market-data.missing', message: 'No prices of VOD.L for "Retire at 40".' }
    for (const user of [operator, other, other]) await fail(user, missing, '1 hour')
    await fail(other, { kind: 'bug', code: 'job.bug', message: 'Retire at 40' }, '2 hours')
    await fail(other, missing, '25 hours')
    const answer = await operator.get('/api/operator/overview')
    expect(answer.json<OperatorOverview>().failed_jobs).toEqual([
      {
        kind: 'backtest',
        cause: 'upstream',
        code: 'market-data.missing',
        count: 3,
        users: 2,
        last_at: expect.any(String),
      },
      { kind: 'backtest', cause: 'bug', code: 'job.bug', count: 1, users: 1, last_at: expect.any(String) },
    ])
    for (const word of ['Retire', 'VOD.L']) expect(answer.body).not.toContain(word)
  })

  it('sees users by name and use', async () => {
    const { total, users } = (await operator.get('/api/operator/users')).json()
    expect(total).toBe(2)
    expect(
      users.map(({ user_id, is_operator }: { user_id: number; is_operator: boolean }) => [user_id, is_operator]),
    ).toEqual([
      [other.id, false],
      [operator.id, true],
    ])
    expect(Object.keys(users[0]).sort()).toEqual([
      'is_operator',
      'is_suspended',
      'jobs',
      'last_seen_at',
      'registered_at',
      'running_deployments',
      'series_bytes',
      'sessions',
      'user_id',
      'username',
    ])
    expect((await operator.get('/api/operator/users?page=2')).json().users).toEqual([])
  })

  it('makes, lists and revokes invitations', async () => {
    const invited = await createTestApp({ database: server.database, environment: { REGISTRATION: 'invite' } })
    try {
      const made = (await operator.post('/api/operator/invitations', { days: 3 })).json()
      expect(made.invitation.expires_at > made.invitation.created_at).toBe(true)
      const list = async () => (await operator.get('/api/operator/invitations')).json().invitations
      expect(await list()).toEqual([made.invitation])
      const join = (invite: string, username: string) =>
        invited.app.inject({
          method: 'POST',
          url: '/api/register',
          payload: { username, password: 'long enough', invite },
        })
      expect((await join(made.token, 'invited')).statusCode).toBe(200)
      expect(await list()).toEqual([])
      const second = (await operator.post('/api/operator/invitations', {})).json()
      expect((await operator.delete(`/api/operator/invitations/${second.invitation.id}`)).statusCode).toBe(200)
      expect((await operator.delete(`/api/operator/invitations/${second.invitation.id}`)).statusCode).toBe(404)
      expect((await join(second.token, 'too-late')).statusCode).toBe(403)
      expect((await operator.post('/api/operator/invitations', { days: 366 })).statusCode).toBe(400)
    } finally {
      await invited.close()
    }
  })
})
