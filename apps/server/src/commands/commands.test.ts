import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { caller } from '../../test-support/caller.ts'
import { APP_SECRET, command } from '../../test-support/operator-commands.ts'
import { failedStart } from '../../test-support/program.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'
import { cookieHeader, nextName, post, signIn } from '../../test-support/visitor.ts'

let server: TestApp
let dataDir: string
let environment: Record<string, string>
beforeAll(async () => {
  server = await createTestApp({ environment: { REGISTRATION: 'invite', ALLOW_PRIVATE_STORES: 'on' } })
  dataDir = mkdtempSync(join(tmpdir(), 'tradewright-commands-'))
  environment = { DATABASE_URL: server.database.url, DATA_DIR: dataDir, REGISTRATION: 'invite' }
  const user = await caller(server)
  const connection_config = { host: '127.0.0.1', port: 1, database: 'd', username: 'u', password: 'p' }
  await user.post('/api/data-stores', { name: 'Archive', store_type: 'postgresql', connection_config })
})
afterAll(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const run = (name: 'account' | 'invite' | 'rotate-secret', more: Record<string, string> = {}, ...args: string[]) =>
  command(name, { ...environment, ...more }, ...args)

it('npm run invite prints a link that makes one account', async () => {
  const { stdout, code } = await run('invite', { APP_URL: 'https://trade.example.com' }, '3')
  expect(code).toBe(0)
  const invite = /^https:\/\/trade\.example\.com\/register\?invite=([\w-]{43})$/m.exec(stdout)?.[1]
  const answer = await post(server, '/api/register', { username: nextName(), password: 'blue canoe', invite })
  expect(answer.statusCode).toBe(200)
  expect((await run('invite', {}, 'soon')).stderr).toBe(
    'npm run invite takes the days that the invitation lasts: 1 to 365.\n',
  )
})

it('npm run account acts on sessions of the running program, and removes an account', async () => {
  const { stdout } = await run('invite', { APP_URL: 'https://trade.example.com' }, '3')
  const username = nextName()
  const invite = /invite=([\w-]{43})$/m.exec(stdout)![1]
  const headers = {
    cookie: cookieHeader(await post(server, '/api/register', { username, password: 'blue canoe', invite })),
  }
  const status = async () => (await server.app.inject({ url: '/api/user', headers })).statusCode
  const account = async (action: string) => (await run('account', { APP_SECRET }, action, '--user', username)).stdout
  expect(await status()).toBe(200)
  expect(await account('suspend')).toContain(`"${username}" is suspended.`)
  await expect.poll(status).toBe(401)
  expect((await signIn(server, username, 'blue canoe')).statusCode).toBe(403)
  await account('resume')
  expect((await signIn(server, username, 'blue canoe')).statusCode).toBe(200)
  expect(await account('remove')).toContain(`"${username}" was removed.`)
  expect((await signIn(server, username, 'blue canoe')).statusCode).toBe(401)
  const again = await run('account', { APP_SECRET }, 'remove', '--user', username)
  expect([again.code, again.stderr]).toEqual([1, `There is no user "${username}" on this instance.\n`])
})

it('npm run rotate-secret refuses while another process works with the old secret', async () => {
  const { stderr, code } = await run('rotate-secret', { APP_SECRET, NEW_APP_SECRET: 'the secret after this one' })
  expect([code, stderr]).toEqual([1, 'Stop every web process and worker of this database first.\n'])
})

it('the program does not start with a secret that opens nothing, and says what to do', async () => {
  const { exitCode, output } = await failedStart({ ...environment, APP_SECRET: 'another secret altogether' })
  expect(exitCode).toBe(1)
  expect(output).toBe(
    '1 stored key or password of users cannot be opened with APP_SECRET: it is not the secret that sealed them. Restore the one that did (after a rotation that was not finished, run it again), or start with UNREADABLE_SECRETS=ask: then the program goes on, and users are asked to enter these keys and passwords again.\n',
  )
})
