import { ErrorAnswer } from '@tradewright/contract/answers'
import { SignedIn, User } from '@tradewright/contract/auth'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { credentialsOf, nextName, post, register, signIn, userOf } from '../../../test-support/visitor.ts'
import { argon2Hasher } from '../../adapters/argon2/password-hasher.ts'
import { SESSION_COOKIE } from '../server/security/session-cookie.ts'

let server: TestApp
beforeAll(async () => {
  // With the product's own parameters for passwords.
  server = await createTestApp({ passwordHasher: argon2Hasher() })
})
afterAll(() => server.close())

describe('registering', () => {
  it('answers the user and signs in, by cookie and by token [SHELL-056] [SHELL-059] [SHELL-068]', async () => {
    const username = nextName()
    const answer = await post(server, '/api/register', { username, email: username, password: 'correct horse' })
    expect(answer.statusCode).toBe(200)
    expect(SignedIn.parse(answer.json())).toMatchObject({ username, email: username })
    const { cookie, token } = credentialsOf(answer)
    expect((await userOf(server, { cookie })).json()).toMatchObject({ username })
    expect((await userOf(server, { token })).json()).toMatchObject({ username })
  })

  it('trims the username and takes it as e-mail address when none is given', async () => {
    const username = nextName()
    const answer = await post(server, '/api/register', { username: `  ${username}\t`, password: 'x' })
    expect(answer.json()).toMatchObject({ username, email: username })
  })

  it.each([
    ['letter case', (name: string) => name.toUpperCase()],
    ['Unicode form', (name: string) => name.normalize('NFD')],
    ['width', (name: string) => name.replace('user', 'ｕｓｅｒ')],
    ['invisible characters', (name: string) => `${name}\u200b`],
  ])('refuses a taken username whatever its %s [SHELL-069]', async (_, disguised) => {
    const { username } = await register(server, `${nextName()}-é`)
    const answer = await post(server, '/api/register', { username: disguised(username), password: 'x' })
    expect(answer.statusCode).toBe(409)
    expect(ErrorAnswer.parse(answer.json()).message).toBe('This username is already taken.')
  })

  it('lets one of two simultaneous registrations win and tells the others', async () => {
    const username = nextName()
    const attempts = Array.from({ length: 6 }, (_, i) =>
      post(server, '/api/register', { username, password: `mine ${i}` }),
    )
    const statuses = (await Promise.all(attempts)).map((answer) => answer.statusCode)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409])
  })
})

describe('signing in', () => {
  it('takes what was registered as username, sent as email [SHELL-057] [SHELL-065]', async () => {
    const { username, password } = await register(server)
    const answer = await signIn(server, ` ${username.toUpperCase()} `, password)
    expect(answer.statusCode).toBe(200)
    expect((await userOf(server, credentialsOf(answer))).json()).toMatchObject({ username })
  })

  it('takes the e-mail address when it is another than the username', async () => {
    const username = nextName()
    await post(server, '/api/register', { username, email: `${username}@example.com`, password: 'x' })
    expect((await signIn(server, `${username}@example.com`, 'x')).json()).toMatchObject({ username })
  })

  it('takes a password however its accents were typed', async () => {
    const { username } = await register(server, nextName(), 'crème brûlée'.normalize('NFC'))
    expect((await signIn(server, username, 'crème brûlée'.normalize('NFD'))).statusCode).toBe(200)
  })

  it('answers the same for a wrong password and an unknown user, and opens no session [SHELL-066]', async () => {
    const { username } = await register(server)
    const wrong = await signIn(server, username, 'wrong')
    const unknown = await signIn(server, nextName(), 'wrong')
    for (const answer of [wrong, unknown]) {
      expect(answer.statusCode).toBe(401)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    const withoutId = (answer: ErrorAnswer) => ({ ...answer, request_id: '' })
    expect(withoutId(wrong.json())).toEqual(withoutId(unknown.json()))
    expect(wrong.json()).toMatchObject({ success: false, message: 'Wrong username or password.' })
  })

  it('makes a password hash of weaker parameters anew', async () => {
    const { username, password, id } = await register(server)
    const users = server.database.database
    const weak = await hash(password, { memoryCost: 4096 })
    await users.updateTable('users').set({ password_hash: weak }).where('id', '=', id).execute()
    expect((await signIn(server, username, password)).statusCode).toBe(200)
    const stored = await users.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirst()
    expect(stored?.password_hash).toContain('$m=19456,')
    expect((await signIn(server, username, password)).statusCode).toBe(200)
  })

  it('ends the session that the browser had before [SHELL-076]', async () => {
    const first = await register(server)
    const { username, password } = first
    const again = await signIn(server, username, password, { cookie: first.cookie })
    expect(again.statusCode).toBe(200)
    expect((await userOf(server, { cookie: first.cookie })).statusCode).toBe(401)
    expect((await userOf(server, { token: first.token })).statusCode).toBe(401)
    expect((await userOf(server, credentialsOf(again))).statusCode).toBe(200)
  })
})

describe('signing out', () => {
  it('ends the session with its token and clears the cookie [SHELL-059] [SHELL-071]', async () => {
    const { cookie, token } = await register(server)
    const answer = await post(server, '/logout', undefined, { cookie, 'x-requested-with': 'XMLHttpRequest' })
    expect(answer.json()).toEqual({ success: true })
    expect(answer.cookies[0]).toMatchObject({ name: SESSION_COOKIE, value: '', path: '/' })
    expect((await userOf(server, { cookie })).statusCode).toBe(401)
    expect((await userOf(server, { token })).statusCode).toBe(401)
  })

  it('works with the token alone', async () => {
    const { cookie, token } = await register(server)
    await post(server, '/logout', undefined, { authorization: `Bearer ${token}` })
    expect((await userOf(server, { cookie })).statusCode).toBe(401)
  })

  it('answers success without a session, too', async () => {
    expect((await post(server, '/logout')).json()).toEqual({ success: true })
  })
})

describe('the signed-in user', () => {
  it('is refused with JSON without a session [SHELL-058] [SHELL-064] [SHELL-072]', async () => {
    const answer = await userOf(server, {})
    expect(answer.statusCode).toBe(401)
    expect(ErrorAnswer.parse(answer.json()).error).toBe('Please sign in first.')
  })

  it('is found by the cookie when a stale token stands beside it [SHELL-062]', async () => {
    const old = await register(server)
    await post(server, '/logout', undefined, { cookie: old.cookie })
    const { cookie, username } = await register(server)
    expect((await userOf(server, { cookie, token: old.token })).json()).toMatchObject({ username })
    expect((await userOf(server, { cookie, token: 'nonsense' })).json()).toMatchObject({ username })
  })

  it('is found by the token when a stale cookie stands beside it', async () => {
    const { token, username } = await register(server)
    expect((await userOf(server, { cookie: `${SESSION_COOKIE}=stale`, token })).json()).toMatchObject({ username })
  })

  it('carries nothing but what the contract declares [SHELL-077]', async () => {
    const { cookie } = await register(server)
    const answer = await userOf(server, { cookie })
    expect(Object.keys(answer.json<User>()).sort()).toEqual(['email', 'id', 'username'])
  })
})

it('sets a cookie that scripts cannot read and other sites cannot send [SHELL-076]', async () => {
  const answer = await post(server, '/api/register', { username: nextName(), password: 'x' })
  expect(answer.cookies[0]).toMatchObject({ name: SESSION_COOKIE, httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(answer.cookies[0]).not.toHaveProperty('secure')
})

it('sends the cookie over TLS alone when that is the address of the site', async () => {
  const tls = await createTestApp({
    database: server.database,
    environment: { APP_URL: 'https://trade.example.com' },
  })
  const answer = await post(tls, '/api/register', { username: nextName(), password: 'blue canoe' })
  expect(answer.cookies.map(({ secure }) => secure)).toEqual([true, true])
  expect(answer.headers['strict-transport-security']).toContain('max-age')
  await tls.close()
})
