import { ManualClock } from '@tradewright/core/clock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { errorOf, newStrategy, paperAccountOf } from '../../../test-support/live/live-trading-user.ts'
import { type AlpacaStandIn, STAND_IN_KEYS, startAlpacaStandIn } from '../../../test-support/stand-ins/alpaca/alpaca.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { post } from '../../../test-support/visitor.ts'
import { codeAt } from '../../auth/totp.ts'

let alpaca: AlpacaStandIn
let server: TestApp
let ann: Caller
let form: object
const clock = new ManualClock(new Date())
beforeAll(async () => {
  alpaca = await startAlpacaStandIn(() => clock.now().getTime())
  server = await createTestApp({ clock, environment: { RUN_JOBS: 'off', ALPACA_LIVE_URL: alpaca.url } })
  ann = await caller(server)
  const live = await ann.post('/api/alpaca/accounts', {
    account_name: 'Real',
    api_key: STAND_IN_KEYS.keyId,
    api_secret: STAND_IN_KEYS.secretKey,
    paper_trading: false,
  })
  form = {
    deployment_name: 'Savings',
    strategy_id: await newStrategy(ann, 'Sixty forty', {
      allocations: [
        { ticker: 'SPY', allocation: 60 },
        { ticker: 'TLT', allocation: 40 },
      ],
    }),
    alpaca_account_id: live.json<{ account: { id: number } }>().account.id,
    capital_policy_value: 1000,
  }
})
afterAll(async () => {
  await server.close()
  await alpaca.close()
})

const create = (more: object = {}) => ann.post('/api/deployment/create', { ...form, ...more })
const idOf = (answer: Awaited<ReturnType<typeof create>>) => answer.json<{ deployment_id: number }>().deployment_id
const control = (id: number, action: string, confirmation?: string) =>
  ann.post(`/api/deployment/${id}/control`, { action, ...(confirmation !== undefined && { confirmation }) })
const statusOf = async (id: number) =>
  (await ann.get(`/api/deployment/${id}`)).json<{ deployment: { status: string } }>().deployment.status

it('real money is started by the typed name alone, also after a pause', async () => {
  const id = idOf(await create())
  for (const typed of [undefined, '', 'savings', 'Savings account']) {
    const refused = await control(id, 'start', typed)
    expect(refused.statusCode).toBe(400)
    expect(errorOf(refused)).toMatch(/^“Savings” trades real money\. Type its name to confirm/)
    expect(await statusOf(id)).toBe('created')
  }
  expect((await control(id, 'start', ' Savings ')).statusCode).toBe(200)
  expect((await control(id, 'pause')).statusCode).toBe(200)
  expect((await control(id, 'resume')).statusCode).toBe(400)
  expect(await statusOf(id)).toBe('paused')
  expect((await control(id, 'resume', 'Savings')).statusCode).toBe(200)
  expect((await control(id, 'stop')).statusCode).toBe(200)
})

it('an automatic start with real money is refused before anything is created', async () => {
  const countOf = async () =>
    (await ann.get('/api/deployment/list')).json<{ deployments: object[] }>().deployments.length
  const before = await countOf()
  const refused = await create({ auto_start: true })
  expect(refused.statusCode).toBe(400)
  expect(errorOf(refused)).toContain('real money')
  expect(await countOf()).toBe(before)
  const started = await create({ auto_start: true, confirmation: 'Savings' })
  expect(started.json()).toMatchObject({ start_error: null, deployment: { status: 'running' } })
})

it('the end of a dry run is confirmed as well', async () => {
  const id = idOf(await create({ dry_run: true }))
  await control(id, 'start', 'Savings')
  const end = (more: object = {}) => ann.put(`/api/deployment/${id}/safety`, { dry_run: false, ...more })
  expect((await end()).statusCode).toBe(400)
  expect((await ann.put(`/api/deployment/${id}/safety`, { max_drawdown_pct: 20 })).statusCode).toBe(200)
  expect((await end({ confirmation: 'Savings' })).statusCode).toBe(200)
})

it('paper money is started as ever [LIVE-108] [LIVE-155]', async () => {
  const paper = { alpaca_account_id: await paperAccountOf(ann), auto_start: true }
  expect((await create(paper)).json()).toMatchObject({ start_error: null, deployment: { status: 'running' } })
})

it('asks who has a second factor for it each time that real money begins, and never before a stop', async () => {
  const { headers, password } = ann
  const created = idOf(await create({ deployment_name: 'Guarded' }))
  const dry = idOf(await create({ deployment_name: 'Dry', dry_run: true }))
  expect((await control(dry, 'start', 'Dry')).statusCode).toBe(200)
  const begun = await post(server, '/api/auth/factors/totp/begin', { password }, headers)
  const { secret } = begun.json<{ secret: string }>()
  const nextCode = () => {
    clock.advance(30_000)
    return codeAt(secret, clock.now())
  }
  const added = { name: 'Phone', secret, code: nextCode(), password }
  expect((await post(server, '/api/auth/factors/totp', added, headers)).statusCode).toBe(200)

  const begins: readonly (readonly [string, () => ReturnType<typeof control>])[] = [
    ['the first start', () => control(created, 'start', 'Guarded')],
    ['a start with its creation', () => create({ deployment_name: 'New', auto_start: true, confirmation: 'New' })],
    ['a start after a pause', () => control(created, 'resume', 'Guarded')],
    ['the end of a dry run', () => ann.put(`/api/deployment/${dry}/safety`, { dry_run: false, confirmation: 'Dry' })],
  ]
  for (const [what, begin] of begins) {
    clock.advance(10 * 60_000 + 1)
    if (what === 'a start after a pause') expect((await control(created, 'pause')).statusCode).toBe(200)
    const refused = await begin()
    expect([what, refused.json<{ code: string }>().code]).toEqual([what, 'factor.needed'])
    expect((await post(server, '/api/auth/factors/confirm', { code: nextCode() }, headers)).statusCode).toBe(200)
    const done = await begin()
    expect([what, done.statusCode], done.body).toEqual([what, 200])
  }
  clock.advance(10 * 60_000 + 1)
  expect((await control(created, 'stop')).statusCode).toBe(200)
  expect((await ann.post('/api/deployment/emergency-stop')).statusCode).toBe(200)
})

it('events name who did it and from which session, without its secrets', async () => {
  const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
  ann.headers['user-agent'] = browser
  const id = idOf(await create({ alpaca_account_id: await paperAccountOf(ann), deployment_name: 'Play' }))
  const calls = [
    await ann.put(`/api/deployment/${id}/update`, { ...form, alpaca_account_id: '', deployment_name: 'Play' }),
    await control(id, 'start'),
    await ann.put(`/api/deployment/${id}/safety`, { max_drawdown_pct: 20 }),
    await ann.post(`/api/deployment/${id}/contributions`, { amount: 10, contribution_type: 'CONTRIBUTION' }),
    await ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 50 }),
    await control(id, 'pause'),
    await control(id, 'resume'),
    await control(id, 'stop'),
    await control(id, 'start'),
    await ann.post(`/api/deployment/${id}/emergency-stop`),
  ]
  expect(calls.map(({ statusCode }) => statusCode)).toEqual(calls.map(() => 200))
  const { activity } = (await ann.get(`/api/deployment/${id}/activity`)).json<{ activity: { actor: object }[] }>()
  expect(activity).toHaveLength(calls.length + 1)
  const { username } = (await ann.get('/api/user')).json<{ username: string }>()
  for (const { actor } of activity) {
    expect(actor).toEqual({
      kind: 'user',
      name: username,
      session: expect.stringMatching(/^Chrome on Windows at 127\.0\.0\.1, signed in \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
    })
  }
  const { lines } = (await ann.get(`/api/deployment/${id}/logs/tail?lines=50`)).json<{ lines: string[] }>()
  expect(lines.filter((line) => line.includes(`[by ${username}, Chrome on Windows at 127.0.0.1`))).toHaveLength(
    calls.length + 1,
  )
})
