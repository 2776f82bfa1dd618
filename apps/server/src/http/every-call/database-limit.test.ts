import { afterAll, beforeAll, expect, it } from 'vitest'
import { contractCalls } from '../../../test-support/fuzz/contract-calls.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

/** About 100 KB. */
const LIMIT_GB = 0.0001
const TICKERS = Array.from({ length: 400 }, (_, i) => `T${i}`)

let server: TestApp
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off', DATABASE_LIMIT_GB_PER_USER: String(LIMIT_GB) } })
})
afterAll(() => server.close())

const saveList = (user: RegisteredUser, name: string) =>
  post(server, '/api/ticker-lists', { name, list_type: 'target', tickers: TICKERS }, headersOf(user))

/** Ids of the lists that were taken. */
async function fill(user: RegisteredUser): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < 100; i++) {
    const answer = await saveList(user, `list ${i}`)
    if (answer.statusCode !== 200) {
      expect(answer.statusCode).toBe(413)
      expect(answer.json<{ error: string }>().error).toMatch(
        /^What you saved takes [\d.]+ KB of this server's database, and your limit is 104.9 KB\. Delete backtests, /,
      )
      return ids
    }
    ids.push(answer.json<{ list: { id: number } }>().list.id)
  }
  throw new Error('never refused')
}

it('refuses to keep more than the limit of a user, and goes on once something was deleted', async () => {
  const [ann, bob] = [await register(server), await register(server)]
  const ids = await fill(ann)
  expect(ids.length).toBeGreaterThan(5)
  expect((await saveList(bob, 'of another user')).statusCode).toBe(200)

  for (const id of ids.slice(0, 5)) {
    const gone = await server.app.inject({ method: 'DELETE', url: `/api/ticker-lists/${id}`, headers: headersOf(ann) })
    expect(gone.statusCode).toBe(200)
  }
  expect((await saveList(ann, 'after clearing')).statusCode).toBe(200)
})

it('counts calls of the same moment one after the other', async () => {
  const [patient, hasty] = [await register(server), await register(server)]
  const most = (await fill(patient)).length
  const answers = await Promise.all(Array.from({ length: most + 60 }, (_, i) => saveList(hasty, `list ${i}`)))
  const taken = answers.filter(({ statusCode }) => statusCode === 200).length
  expect(taken).toBeGreaterThan(5)
  // A row is counted as it was sent until it is counted as it is stored, which is a little less.
  expect(taken).toBeLessThan(most + 10)
})

it('never refuses a stop at the limit', async () => {
  const user = await register(server)
  await fill(user)
  expect((await post(server, '/api/deployment/emergency-stop', {}, headersOf(user))).statusCode).toBe(200)
})

/** Calls that write and keep nothing that grows: they change, try, stop or remove, or have a limit of their own. */
const NOT_COUNTED = [
  'POST /api/alerts/channels/:id/deliveries/:delivery/send',
  'POST /api/alerts/channels/:id/test',
  'POST /api/alerts/inbox/:id/acknowledge',
  'POST /api/alerts/inbox/acknowledge',
  'POST /api/alpaca/accounts/:id/set-default',
  'POST /api/alpaca/accounts/:id/verify',
  'POST /api/asset/validate',
  'POST /api/asset/validate-mapping',
  'POST /api/auth/email/verify',
  'POST /api/auth/factors/confirm',
  'POST /api/auth/factors/passkey/begin',
  'POST /api/auth/factors/recovery-codes',
  'POST /api/auth/factors/totp/begin',
  'POST /api/auth/google/link',
  'POST /api/auth/google/unlink',
  'POST /api/auth/password/change',
  'POST /api/auth/password/set',
  'POST /api/auth/password/toggle',
  'POST /api/backtest/check',
  'POST /api/backtests/:id/factors',
  'POST /api/backtests/compare',
  'POST /api/data-collector/data-stores/:id/clear',
  'POST /api/data-collector/data/browse',
  'POST /api/data-collector/data/browse-with-transforms',
  'POST /api/data-collector/import',
  'POST /api/data-collector/jobs/:id/cancel',
  'POST /api/data-collector/providers/generate',
  'POST /api/data-collector/providers/try',
  'POST /api/deployment/:id/accept-broker',
  'POST /api/deployment/:id/check',
  'POST /api/deployment/:id/contributions',
  'POST /api/deployment/:id/control',
  'POST /api/deployment/:id/disallocate',
  'POST /api/deployment/:id/emergency-stop',
  'POST /api/deployment/:id/held-order',
  'POST /api/deployment/:id/preview',
  'POST /api/deployment/:id/record/link',
  'POST /api/deployment/:id/replay-month',
  'POST /api/deployment/:id/ticker-change',
  'POST /api/deployment/emergency-stop',
  'POST /api/deployment/notifications/test',
  'POST /api/deployment/preview-new',
  'POST /api/deployment/replay-new',
  'POST /api/deployment/volume-shares',
  'POST /api/feature-optimization/check',
  'POST /api/jobs/:id/cancel',
  'POST /api/openai/connect',
  'POST /api/openai/disconnect',
  'POST /api/openai/update-model',
  'POST /api/optimization-runs/:id/cancel',
  'POST /api/optimization-runs/:id/pause',
  'POST /api/optimization-runs/:id/resume',
  'POST /api/parameter-studies/:id/cancel',
  'POST /api/passports/verify',
  'POST /api/portfolio-constructions/:id/cancel',
  'POST /api/proposals/:id/decline',
  'POST /api/records/verify',
  'POST /api/strategies/:id/record/link',
  'POST /api/user/delete',
  'PUT /api/alerts/channels/:id',
  'PUT /api/alerts/heartbeat',
  'PUT /api/alerts/levels',
  'PUT /api/alpaca/accounts/:id',
  'PUT /api/alpaca/portfolio/lots/method',
  'PUT /api/backtests/:id',
  'PUT /api/data-stores/:id',
  'PUT /api/deployment/:id/safety',
  'PUT /api/deployment/:id/update',
  'PUT /api/home/checklist',
  'PUT /api/user/formats',
]

it('knows of every call that writes whether it is counted', async () => {
  const writing = (await contractCalls()).filter(
    ({ access, method }) => access === 'signed in' && method.startsWith('P'),
  )
  expect(writing.filter(({ addsRows }) => !addsRows).map(({ id }) => id)).toEqual(NOT_COUNTED)
})
