import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { longForm, optimize, type Runs, runsOf } from '../../../test-support/optimization.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

const LIMIT = 3

// No job is taken here: what is queued stays queued.
let server: TestApp
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off', MAX_RUNS_PER_USER: String(LIMIT) } })
})
afterAll(() => server.close())

async function newUser(): Promise<{ user: RegisteredUser; runs: Runs }> {
  const user = await register(server)
  return { user, runs: runsOf(server, user) }
}

const start = (user: RegisteredUser, form = longForm) => optimize(server, user, { ...form, wait: false })

async function queueAllowed({ user }: { user: RegisteredUser }): Promise<void> {
  for (let i = 0; i < LIMIT; i++) expect((await start(user)).statusCode).toBe(200)
}

const SENTENCE =
  'You have 3 queued and 0 running, and the limit is 3 at a time. Wait until one has ended, or cancel one, and try again.'

describe('a user at the limit of queued and running work', () => {
  it('is refused with a sentence, for every kind of work', async () => {
    const ann = await newUser()
    await queueAllowed(ann)
    const indicators = { method: 'GET', url: '/api/leading-indicators/correlations/SPY' } as const
    const refused = [
      await start(ann.user),
      await postBacktest(server, ann.user, allocationForm),
      await server.app.inject({ ...indicators, headers: headersOf(ann.user) }),
    ]
    for (const answer of refused) {
      expect(answer.json()).toMatchObject({ code: 'runs.limit', error: SENTENCE, queued: 3, running: 0, limit: 3 })
      expect(answer.statusCode).toBe(429)
      expect(answer.headers['retry-after']).toBe('30')
    }
    expect(await ann.runs.list()).toHaveLength(LIMIT)
  })

  it('does not hinder another user', async () => {
    await queueAllowed(await newUser())
    const bob = await newUser()
    expect((await start(bob.user)).statusCode).toBe(200)
  })

  it('may start again when a run is cancelled', async () => {
    const ann = await newUser()
    await queueAllowed(ann)
    const [run] = await ann.runs.list()
    expect((await ann.runs.act(run!.id, 'cancel')).statusCode).toBe(200)
    expect((await start(ann.user)).statusCode).toBe(200)
    expect((await start(ann.user)).statusCode).toBe(429)
  })

  it('may pause a run for another, which then cannot go on until there is room', async () => {
    const ann = await newUser()
    await queueAllowed(ann)
    const [run] = await ann.runs.list()
    await ann.runs.act(run!.id, 'pause')
    expect((await start(ann.user)).statusCode).toBe(200)
    expect((await ann.runs.act(run!.id, 'resume')).statusCode).toBe(429)
    expect((await ann.runs.get(run!.id)).paused).toBe(true)
  })

  it('gets no further by calls at the same moment', async () => {
    const ann = await newUser()
    const answers = await Promise.all(Array.from({ length: LIMIT + 4 }, () => start(ann.user)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(LIMIT)
  })

  it('is given the run that is under way under the same name', async () => {
    const ann = await newUser()
    await queueAllowed(ann)
    const [run] = await ann.runs.list()
    await ann.runs.act(run!.id, 'cancel')
    const named = { ...longForm, client_run_id: 'mine' }
    const first = (await start(ann.user, named)).json<{ run_id: number }>()
    expect((await start(ann.user, named)).json()).toMatchObject({ run_id: first.run_id })
  })
})
