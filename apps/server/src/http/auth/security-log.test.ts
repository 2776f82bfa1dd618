import { ManualClock } from '@tradewright/core/clock'
import type { getSecurityLog } from '@tradewright/contract/security-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { caller } from '../../../test-support/caller.ts'
import { type MailServer, startMailServer } from '../../../test-support/mail-server.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { deviceCookie, nextName, post, register, signIn } from '../../../test-support/visitor.ts'
import { createLog } from '../../log.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x64) Chrome/153.0'
const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
const lines: string[] = []
let mails: MailServer
let server: TestApp
beforeAll(async () => {
  mails = await startMailServer()
  server = await createTestApp({
    clock,
    environment: { SMTP_URL: mails.url, MAIL_FROM: 'tradewright@example.com' },
    log: createLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) }),
  })
})
afterAll(async () => {
  await server.close()
  await mails.close()
})

type Answer = z.infer<typeof getSecurityLog.answer>

async function logOf(headers: Record<string, string>, query = ''): Promise<Answer> {
  return (await server.app.inject({ url: `/api/auth/security-log${query}`, headers })).json<Answer>()
}
const kindsOf = async (headers: Record<string, string>) => (await logOf(headers)).entries.map(({ kind }) => kind)

const tryPassword = (email: string, password: string, address: string, headers: Record<string, string> = {}) =>
  server.app.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email, password },
    remoteAddress: address,
    headers,
  })

describe('the security log', () => {
  it('has sign-ins, failures and changes of an account, for its owner alone', async () => {
    const user = await register(server)
    const { headers, ...owner } = { ...user, headers: { cookie: user.cookie } }
    for (let i = 0; i < 3; i += 1) await tryPassword(owner.username, 'wrong', '198.51.100.1')
    await tryPassword(owner.username, owner.password, '198.51.100.1', { 'user-agent': CHROME })
    const key = { name: 'Notebook', scopes: ['read'], password: owner.password }
    const { secret, key: made } = (await post(server, '/api/keys', key, headers)).json<{
      secret: string
      key: { id: string }
    }>()
    for (let i = 0; i < 2; i += 1) {
      await server.app.inject({ url: '/api/strategies', headers: { authorization: `Bearer ${secret}` } })
    }
    await post(server, '/api/keys', { ...key, password: 'a guess' }, headers)
    await server.app.inject({ method: 'DELETE', url: `/api/keys/${made.id}`, headers })
    await post(
      server,
      '/api/auth/password/change',
      { current_password: owner.password, new_password: 'new one' },
      headers,
    )
    const { entries } = await logOf(headers)
    expect(entries.map(({ kind, count, detail }) => [kind, count, detail])).toEqual([
      ['password.changed', 1, null],
      ['key.revoked', 1, 'Notebook'],
      ['password.refused', 1, null],
      ['key.new-place', 1, 'Notebook'],
      ['key.created', 1, 'Notebook'],
      ['sign-in.new-device', 1, null],
      ['sign-in.failed', 3, null],
      ['account.registered', 1, null],
    ])
    expect(entries[5]).toMatchObject({ device: 'Chrome on Linux', address: '198.51.100.1' })
    const other = await register(server)
    expect(await kindsOf({ cookie: other.cookie })).toEqual(['account.registered'])
  })

  it('knows a device by its cookie, and a program by its name and network', async () => {
    const { username, password, cookie } = await register(server)
    const first = await tryPassword(username, password, '198.51.100.2', { 'user-agent': 'curl/8' })
    await tryPassword(username, password, '198.51.100.2', { 'user-agent': 'curl/9' })
    await tryPassword(username, password, '198.51.100.3', { 'user-agent': CHROME, cookie: deviceCookie(first) })
    await tryPassword(username, password, '198.51.100.3', { 'user-agent': 'curl/8' })
    const [newest, ...older] = await kindsOf({ cookie })
    expect([newest, ...older]).toEqual([
      'sign-in.new-device',
      'sign-in',
      'sign-in',
      'sign-in.new-device',
      'account.registered',
    ])
  })

  it('counts a flood of failures in one entry, which pushes nothing else out', async () => {
    const { username, cookie } = await register(server)
    const tries = 60
    await Promise.all(Array.from({ length: tries }, () => tryPassword(username, 'wrong', '198.51.100.4')))
    const counted = async () => {
      const { entries } = await logOf({ cookie })
      return entries.filter(({ kind }) => kind !== 'account.registered').reduce((sum, { count }) => sum + count, 0)
    }
    await expect.poll(counted).toBeGreaterThan(4)
    expect((await logOf({ cookie })).entries.length).toBeLessThanOrEqual(3)
    clock.advance(3_600_000)
    await tryPassword(username, 'wrong', '198.51.100.4')
    expect((await logOf({ cookie })).entries[0]).toMatchObject({ kind: 'sign-in.failed', count: 1 })
  })

  it('is read page by page, keeps the newest, and forgets after 400 days', async () => {
    const { id, cookie } = await register(server)
    await server.database.pool.query(
      `INSERT INTO security_events (user_id, kind, is_failure, begun_at, at, count)
       SELECT $1, 'sign-in', false, $2, $2, 1 FROM generate_series(1, 600)`,
      [id, clock.now()],
    )
    await post(server, '/api/auth/password/toggle', { enable: true }, { cookie })
    const { rows } = await server.database.pool.query('SELECT FROM security_events WHERE user_id = $1', [id])
    expect(rows).toHaveLength(500)
    const first = await logOf({ cookie })
    expect([first.entries.length, first.has_more]).toEqual([30, true])
    const second = await logOf({ cookie }, `?before=${first.entries.at(-1)!.id}`)
    expect(second.entries[0]!.id).toBeLessThan(first.entries.at(-1)!.id)
  })

  it('mails the confirmed address on a new device, key and password, and no other', async () => {
    const { username, password, cookie } = await register(server)
    await tryPassword(username, password, '198.51.100.5')
    const address = `${nextName()}@example.com`
    await post(server, '/api/auth/email/verify', { email: address }, { cookie })
    const token = /token=([\w-]{43})/.exec((await mails.next(address)).text)![1]!
    await post(server, '/api/auth/email/confirm', { token })
    expect((await mails.next(address)).text).toContain(`E-mail address changed: ${address}`)
    await tryPassword(username, password, '198.51.100.6', { 'user-agent': CHROME })
    const mail = await mails.next(address)
    expect(mail.text).toContain('Signed in on a new device')
    expect(mail.text).toContain('Chrome on Linux at 198.51.100.6')
    // Who takes the account over changes the address first: the one before is told.
    const second = `${nextName()}@example.com`
    await post(server, '/api/auth/email/verify', { email: second }, { cookie })
    const change = /token=([\w-]{43})/.exec((await mails.next(second)).text)![1]!
    await post(server, '/api/auth/email/confirm', { token: change })
    expect((await mails.next(address)).text).toContain(`E-mail address changed: ${second}`)
  })

  it('is in the structured log, without names and passwords', async () => {
    const typed = `a password in the wrong field ${nextName()}`
    await signIn(server, typed, 'wrong')
    const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ security }) => security)
    expect(found.at(-1)).toMatchObject({ security: 'sign-in.failed', user: null, address: '127.0.0.1' })
    expect(lines.join('')).not.toContain(typed)
  })

  it('shows the operator every account, and attempts on names that none has, without what belongs to owners', async () => {
    const instance = await createTestApp()
    try {
      const operator = await caller(instance)
      const user = await caller(instance)
      await user.post('/api/keys', { name: 'Notebook', scopes: ['read'], password: user.password })
      await signIn(instance, 'nobody-here', 'wrong')
      const { entries } = (await operator.get('/api/operator/security-log')).json<{
        entries: { kind: string; user_id: number | null; detail: string | null }[]
      }>()
      expect(entries.map(({ kind, user_id, detail }) => [kind, user_id, detail])).toEqual([
        ['sign-in.failed', null, null],
        ['key.created', user.id, null],
        ['account.registered', user.id, null],
        ['account.registered', operator.id, null],
      ])
      const one = (await operator.get(`/api/operator/security-log?user_id=${operator.id}`)).json<{
        entries: unknown[]
      }>()
      expect(one.entries).toHaveLength(1)
      expect((await user.get('/api/operator/security-log')).statusCode).toBe(404)
    } finally {
      await instance.close()
    }
  })
})
