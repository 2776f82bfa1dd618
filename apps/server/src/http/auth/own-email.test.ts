import { ManualClock } from '@tradewright/core/clock'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type MailServer, startMailServer } from '../../../test-support/mail-server.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { cookieHeader, nextName, post, register, signIn } from '../../../test-support/visitor.ts'

const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
let mails: MailServer
let server: TestApp
let silent: TestApp
beforeAll(async () => {
  mails = await startMailServer()
  const environment = { SMTP_URL: mails.url, MAIL_FROM: 'tradewright@example.com' }
  server = await createTestApp({ clock, environment })
  silent = await createTestApp({ clock })
})
afterAll(async () => {
  await silent.close()
  await server.close()
  await mails.close()
})

const newAddress = () => `${nextName()}@example.com`
const claim = (app: TestApp, username: string, email: string, password = 'correct horse') =>
  post(app, '/api/register', { username, email, password })
const signsIn = async (app: TestApp, login: string, password: string) =>
  (await signIn(app, login, password)).json<{ username?: string; code?: string }>()
const emailOf = async (app: TestApp, cookie: string) =>
  (await app.app.inject({ url: '/api/auth/email', headers: { cookie } })).json<object>()
const askForLink = (cookie: string, email?: string) => post(server, '/api/auth/email/verify', { email }, { cookie })
const confirm = (token: string) => post(server, '/api/auth/email/confirm', { token })

async function linkTo(address: string): Promise<string> {
  const { text } = await mails.next(address)
  return /\/verify-email\?token=([\w-]{43})/.exec(text)?.[1] ?? `no link in ${text}`
}

describe('an e-mail address, where the server sends mail', () => {
  it('gets no link to a server that the Host header invents', async () => {
    const open = await createTestApp({
      clock,
      environment: { SMTP_URL: mails.url, MAIL_FROM: 'tradewright@example.com', HOST: '0.0.0.0' },
    })
    onTestFinished(() => open.close())
    const address = newAddress()
    const host = '6.6.6.6'
    const headers = { host, origin: `http://${host}` }
    const payload = { username: address, email: address, password: 'correct horse' }
    const made = await open.app.inject({ method: 'POST', url: '/api/register', headers, payload })
    expect(made.statusCode, made.body).toBe(200)
    const cookie = cookieHeader(made)
    const asked = await open.app.inject({
      method: 'POST',
      url: '/api/auth/email/verify',
      headers: { ...headers, cookie },
      payload: {},
    })
    expect(asked.json()).toMatchObject({ code: 'mail.no-site' })
  })

  it('signs in once its link was opened, and not before', async () => {
    const address = newAddress()
    const made = await claim(server, address, address)
    expect(made.statusCode).toBe(200)
    // Registration does not wait for the mail.
    await expect
      .poll(() => emailOf(server, cookieHeader(made)))
      .toEqual({ email: address, verified: false, pending_email: address, can_verify: true })
    expect(await signsIn(server, address, 'correct horse')).toMatchObject({ code: 'email.unverified' })
    expect(await signsIn(server, address, 'wrong')).toMatchObject({ code: 'sign-in.wrong' })
    const token = await linkTo(address)
    expect((await confirm(token)).json()).toEqual({ success: true, email: address })
    expect(await signsIn(server, address, 'correct horse')).toMatchObject({ username: address })
    expect(await emailOf(server, cookieHeader(made))).toMatchObject({ verified: true, pending_email: null })
  })

  it('is verified for the account of a plain username, and then signs in to it', async () => {
    const { username, cookie, password } = await register(server)
    const address = newAddress()
    expect(await signsIn(server, address, password)).toMatchObject({ code: 'sign-in.wrong' })
    expect((await askForLink(cookie, ` ${address.toUpperCase()} `)).statusCode).toBe(200)
    await confirm(await linkTo(address.toUpperCase()))
    expect(await signsIn(server, address, password)).toMatchObject({ username })
    expect((await askForLink(cookie)).json()).toMatchObject({ error: 'This e-mail address is already verified.' })
  })

  it('has links that work once and for a day, and are stored as hashes', async () => {
    const address = newAddress()
    const made = await claim(server, address, address)
    const first = await linkTo(address)
    expect((await askForLink(cookieHeader(made))).statusCode).toBe(200)
    const second = await linkTo(address)
    const rows = await server.database.pool.query('SELECT * FROM email_verifications')
    expect(JSON.stringify(rows.rows)).not.toContain(second)
    clock.advance(24 * 3_600_000)
    expect((await confirm(second)).json()).toMatchObject({ code: 'email.link-ended' })
    expect((await askForLink(cookieHeader(made))).statusCode).toBe(200)
    const third = await linkTo(address)
    const statuses = (await Promise.all([confirm(third), confirm(third)])).map((answer) => answer.statusCode)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
    expect((await confirm(first)).statusCode).toBe(400)
  })

  it('is not given to an account whose password was changed since the link was asked for', async () => {
    const address = newAddress()
    const { cookie } = await register(server)
    await askForLink(cookie, address)
    const link = await linkTo(address)
    const passwords = { current_password: 'correct horse', new_password: 'another horse' }
    expect((await post(server, '/api/auth/password/change', passwords, { cookie })).statusCode).toBe(200)
    expect((await confirm(link)).json()).toMatchObject({ code: 'email.link-ended' })
  })

  it('gets a bounded number of mails, from one account and from many', async () => {
    const { cookie } = await register(server)
    const victim = newAddress()
    for (let sent = 0; sent < 3; sent += 1) expect((await askForLink(cookie, victim)).statusCode).toBe(200)
    const refused = await askForLink(cookie, victim)
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('3600')
    const other = await register(server)
    for (let sent = 0; sent < 2; sent += 1) expect((await askForLink(other.cookie, victim)).statusCode).toBe(200)
    expect((await askForLink(other.cookie, victim)).statusCode).toBe(429)
    // Another spelling leads to the same inbox.
    const third = await register(server)
    expect((await askForLink(third.cookie, victim.toUpperCase())).statusCode).toBe(429)
  })

  it('is one account’s: the second to prove it is refused', async () => {
    const [ann, bob] = [await register(server), await register(server)]
    const address = newAddress()
    await askForLink(ann.cookie, address)
    const annsLink = await linkTo(address)
    await askForLink(bob.cookie, address)
    const bobsLink = await linkTo(address)
    expect((await confirm(bobsLink)).statusCode).toBe(200)
    const late = await confirm(annsLink)
    expect(late.statusCode).toBe(409)
    expect(late.json()).toMatchObject({ error: 'Another account has already verified this e-mail address.' })
  })

  it('is not taken from its owner by an account that claimed it before', async () => {
    const address = newAddress()
    const squatter = await claim(server, address, address, 'squatting here')
    expect(squatter.statusCode).toBe(200)
    await mails.next(address)
    const { username, cookie, password } = await register(server)
    await askForLink(cookie, address)
    await confirm(await linkTo(address))
    expect(await signsIn(server, address, password)).toMatchObject({ username })
    expect(await signsIn(server, address, 'squatting here')).toMatchObject({ code: 'email.unverified' })
  })

  it('cannot become another account’s username', async () => {
    const { cookie } = await register(server)
    const address = newAddress()
    await askForLink(cookie, address)
    await confirm(await linkTo(address))
    expect((await claim(server, address.toUpperCase(), address)).statusCode).toBe(409)
  })

  it.each(['none', 'a@b@c', 'two words@example.com'])('must look like one: %s', async (text) => {
    const { cookie } = await register(server)
    expect((await askForLink(cookie, text)).json()).toMatchObject({ error: 'Please enter an e-mail address.' })
  })
})

describe('an e-mail address, where the server sends no mail', () => {
  it('keeps signing in to its account when others claim it, as address or as username', async () => {
    const [ann, address] = [nextName(), newAddress()]
    expect((await claim(silent, ann, address, 'owned by ann')).statusCode).toBe(200)
    expect(await signsIn(silent, address, 'owned by ann')).toMatchObject({ username: ann })
    const other = nextName()
    expect((await claim(silent, other, address, 'another one')).statusCode).toBe(200)
    expect(await signsIn(silent, address, 'owned by ann')).toMatchObject({ username: ann })
    expect(await signsIn(silent, address, 'another one')).toMatchObject({ code: 'sign-in.wrong' })
    expect(await signsIn(silent, other, 'another one')).toMatchObject({ username: other })
    const asName = await claim(silent, address, address)
    expect([asName.statusCode, asName.json<{ message: string }>().message]).toEqual([
      409,
      'This username is already taken.',
    ])
  })

  it('is a username only of the account whose address it is', async () => {
    const answer = await claim(silent, newAddress(), newAddress())
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ message: 'A username with @ must be your own e-mail address.' })
  })

  it('says that it cannot be verified here', async () => {
    const { cookie } = await register(silent)
    expect(await emailOf(silent, cookie)).toEqual({
      email: null,
      verified: false,
      pending_email: null,
      can_verify: false,
    })
    const answer = await post(silent, '/api/auth/email/verify', { email: newAddress() }, { cookie })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ code: 'mail.not-configured' })
  })
})
