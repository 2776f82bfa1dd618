import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../test-support/visitor.ts'
import { LIMITED_ROWS } from './database.ts'

let server: TestApp
let user: RegisteredUser
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  user = await register(server)
})
afterAll(() => server.close())

/** Tables of a user that have no trigger, with what bounds them. */
const OTHERWISE_BOUNDED: Readonly<Record<string, string>> = {
  account_books: 'one for each brokerage account',
  alert_channels: 'counted when one is added',
  alert_settings: 'one for each user',
  alerts: 'one for each cause while it lasts, removed a month after its end',
  api_keys: 'counted when one is made',
  collection_runs: 'listed by the newest',
  deleted_rows: 'removed after two minutes, 256 MB at most',
  deployment_messages: 'so many an hour for each channel, removed after a month',
  email_verifications: 'three mails an hour',
  external_signals: '20,000 accepted and 200 refused ones of a strategy',
  factor_challenges: 'removed after minutes',
  forward_records: 'one for each deployment and strategy, and the newest hundred of deleted strategies',
  google_flows: 'removed after minutes',
  home_checklists: 'one for each user',
  idempotent_calls: 'never listed, removed after a day',
  imported_rows: 'never listed, one for each row that an import brought',
  instance_operator: 'one for the instance',
  jobs: 'listed by the newest, removed after their end',
  known_places: 'the newest are kept',
  mail_recipients: 'ten mails a day, removed after a day unless confirmed',
  openai_connections: 'one for each user',
  proposals: 'counted when one is made',
  recovery_codes: 'ten at a time',
  second_factors: 'counted when one is added',
  security_events: 'the newest five hundred are kept, and as many failures',
  sessions: 'small rows that end by themselves',
  signal_addresses: 'one for each strategy',
}

it('limits the rows of every table of a user, or something else bounds them', async () => {
  const { rows: owned } = await server.database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'user_id' AND table_name NOT LIKE 'kysely%'`,
  )
  const { rows: limited } = await server.database.pool.query<{ name: string }>(
    `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'rows_are_limited'`,
  )
  const limitedNames = limited.map(({ name }) => name)
  expect(limitedNames.toSorted()).toEqual(Object.keys(LIMITED_ROWS).toSorted())
  const open = owned.map(({ name }) => name).filter((name) => !limitedNames.includes(name))
  expect(open.toSorted()).toEqual(Object.keys(OTHERWISE_BOUNDED).toSorted())
})

const saveStrategy = (name: string, owner = user) =>
  post(server, '/api/strategies', { name, strategy_type: 'Asset Allocation' }, headersOf(owner))

it('refuses one more with a sentence, and still changes those that are there', async () => {
  await saveStrategy('strategy 0')
  await server.database.pool.query(
    `INSERT INTO strategies (user_id, name, strategy_type, config, created_at, updated_at)
     SELECT user_id, 'strategy ' || i, strategy_type, config, created_at, updated_at
     FROM strategies, generate_series(1, 999) i WHERE user_id = $1`,
    [user.id],
  )
  const refused = await saveStrategy('one more')
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    {
      code: 'rows.limit',
      error: 'At most 1,000 saved strategies are allowed. Delete some that you no longer need.',
    },
  ])
  expect((await saveStrategy('strategy 0')).statusCode).toBe(200)
  const stranger = await register(server)
  expect((await saveStrategy('one more', stranger)).statusCode).toBe(200)
  await server.database.pool.query(`DELETE FROM strategies WHERE user_id = $1 AND name = 'strategy 5'`, [user.id])
  expect((await saveStrategy('one more')).statusCode).toBe(200)
})

it('counts saved backtests, not the runs that are removed by themselves', async () => {
  const insert = (count: number, isSaved: boolean) =>
    server.database.pool.query(
      `INSERT INTO backtests (user_id, strategy_name, name, config, report, total_return, max_drawdown, synthetic, run_id,
         created_at, is_saved)
       SELECT $1, 'x', 'x', '{}', '{}', 0, 0, true, gen_random_uuid(), now(), $3 FROM generate_series(1, $2)`,
      [user.id, count, isSaved],
    )
  await insert(1_999, true)
  await insert(2, false)
  await insert(1, true)
  await expect(insert(1, true)).rejects.toMatchObject({ code: 'TWROW' })
})

it.each([
  ['/api/data-collector/saved-queries', { name: 'q', tickers: Array.from({ length: 3_000 }, (_, i) => `TICK${i}`) }],
  ['/api/data-collector/jobs', { name: 'j', additional_params: { text: 'x'.repeat(20_000) } }],
  ['/api/data-collector/jobs', { name: 'j', transform_config: { text: 'x'.repeat(20_000) } }],
])('bounds the size of a row that is listed with others: %s', async (url, body) => {
  const refused = await post(server, url, body, headersOf(user))
  expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
    400,
    expect.stringMatching(/must have at most [12]0,000 characters/),
  ])
})
