import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contractCalls, type ContractCall, type JsonSchema } from '../../../test-support/fuzz/contract-calls.ts'
import { EXAMPLES } from '../../../test-support/fuzz/examples.ts'
import { harvestIds, kindOfParameter } from '../../../test-support/fuzz/id-pool.ts'
import { injectSend } from '../../../test-support/fuzz/inject-send.ts'
import { codeAt } from '../../auth/totp.ts'
import { type PlantedUser, plantUser, withoutKnownNames } from '../../../test-support/fuzz/planted-user.ts'
import { type StandIns, startStandIns } from '../../../test-support/fuzz/stand-ins.ts'
import { MULTIPART, multipartBody, type Send, type WireAnswer } from '../../../test-support/fuzz/wire.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

/** Calls that answer without a session. Any other call that does is a hole. */
const PUBLIC = new Set([
  'GET /health',
  'GET /ready',
  'GET /api/auth/google/callback',
  'GET /api/auth/google/login',
  'GET /api/auth/registration',
  'GET /api/records/:token',
  'GET /api/records/:token/file',
  'GET /api/shared/:token',
  'GET /api/shared/:token/passport',
  'GET /api/login/second-step',
  'POST /api/auth/email/confirm',
  'POST /api/deployment/notifications/confirm',
  'POST /api/login',
  'POST /api/login/second-step',
  'POST /api/register',
  'POST /api/signals/:address',
  'POST /logout',
])

/** Fields that end like an id and name no row of a user: chosen by the client, or of a catalogue that all share. */
const NO_ROWS = new Set(['client_run_id', 'conversation_id', 'runId', 'target_id', 'stored_secrets', 'sale_id'])

/** Calls whose `id` is chosen by the sender. */
const SENDERS_IDS = new Set(['POST /api/signals/:address'])

/** Fields that are ids although their names do not say so. */
const MORE_ID_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'POST /api/data-collector/import': ['store'],
}

/** Fields that make a request with the other user's id in this field otherwise valid. `own` is the caller. */
type Around = (own: PlantedUser) => Record<string, unknown>

const deployment: Around = (own) => ({
  deployment_name: 'Mine',
  strategy_id: own.ids.of('strategy')[0],
  alpaca_account_id: own.ids.of('account')[0],
  capital_policy_value: 100,
  contributed_cash: 100,
})
const example =
  (call: string): Around =>
  () =>
    EXAMPLES[call]![0]!
const job: Around = (own) => ({
  ...EXAMPLES['POST /api/data-collector/jobs']![0],
  data_store_id: own.ids.of('data_store')[0],
})

const ownAccount =
  (more: Record<string, unknown> = {}): Around =>
  (own) => ({ account_id: own.ids.of('account')[0], ...more })

/** By call: the fields of its query or body that are ids of rows, and the rest of the request. */
const WITH_IDS: Readonly<Record<string, Around>> = {
  'POST /api/deployment/create': deployment,
  'POST /api/deployment/preview-new': deployment,
  'POST /api/deployment/replay-new': deployment,
  'POST /api/deployment/create-with-positions': deployment,
  'PUT /api/deployment/:id/update': deployment,
  'POST /api/deployment/volume-shares': () => ({ ticker_mapping: {}, capital: 100 }),
  'POST /api/asset/validate': () => ({ ticker: 'SPY' }),
  'POST /api/asset/validate-mapping': () => ({ ticker_mapping: { SPY: 'SPY' } }),
  'GET /api/operator/security-log': () => ({}),
  'GET /api/alpaca/portfolio': () => ({}),
  'GET /api/alpaca/portfolio/activities': () => ({ kind: 'trades' }),
  'GET /api/alpaca/portfolio/lots': ownAccount(),
  'PUT /api/alpaca/portfolio/lots/method': ownAccount({ method: 'fifo' }),
  'GET /api/alpaca/portfolio/lots/sale': ownAccount({ sale_id: 'none' }),
  'PUT /api/alpaca/portfolio/lots/sale': ownAccount({ sale_id: 'none', lots: [] }),
  'GET /api/alpaca/portfolio/statement': ownAccount({ month: '2026-11' }),
  'GET /api/alpaca/portfolio/export': ownAccount({ kind: 'trades' }),
  'GET /api/data-collector/data/available': () => ({}),
  'POST /api/data-collector/data/browse': () => ({}),
  'POST /api/data-collector/data/browse-with-transforms': () => ({ tickers: ['SPY'], categories: ['close'] }),
  'POST /api/data-collector/jobs': job,
  'PUT /api/data-collector/jobs/:id': job,
  'POST /api/data-collector/import': example('POST /api/data-collector/import'),
  'POST /api/feature-optimization': example('POST /api/feature-optimization'),
  'POST /api/feature-optimization/check': example('POST /api/feature-optimization/check'),
  'POST /api/backtest': example('POST /api/backtest'),
  'POST /api/backtest/check': example('POST /api/backtest/check'),
}

/** Answers other than 404, which tell nothing either. */
const OTHER_REFUSALS: Readonly<Record<string, number>> = {
  // An id that the user chose, so that it reads as a name: "There is no data provider".
  'POST /api/data-collector/jobs provider_id': 400,
  'PUT /api/data-collector/jobs/:id provider_id': 400,
  // A form that is validated alone: the backtest is looked up when it is run.
  'POST /api/backtest/check referenceBacktestId': 200,
}

/** Bodies of calls whose path has an id, where an empty one would be refused before the id is looked up. */
const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  'POST /api/deployment/:id/contributions': { amount: 1, contribution_type: 'CONTRIBUTION' },
  'POST /api/deployment/:id/control': { action: 'start' },
  'POST /api/deployment/:id/disallocate': { disallocation_pct: 10 },
  'POST /api/deployment/:id/held-order': { ticker: 'SPY', side: 'buy', action: 'send' },
  'POST /api/deployment/:id/ticker-change': { from: 'FB', to: 'META', action: 'sell' },
  'POST /api/backtests/:id/save': { name: 'Mine' },
  'POST /api/proposals/:id/accept': { fingerprint: 'none' },
  'PUT /api/alpaca/accounts/:id': { account_name: 'Mine' },
  'PUT /api/backtests/:id': { name: 'Mine' },
  'PUT /api/data-collector/providers/:id': { display_name: 'Mine' },
  'PUT /api/data-stores/:id': { name: 'Mine', store_type: 'local', connection_config: { path: 'mine' } },
  'PUT /api/strategies/:id': { name: 'Mine' },
  'PUT /api/ticker-lists/:id': { name: 'Mine', list_type: 'target', tickers: ['SPY'] },
}

let calls: ContractCall[]
let standIns: StandIns
let server: TestApp
let send: Send
let owner: PlantedUser
let other: PlantedUser
beforeAll(async () => {
  calls = await contractCalls()
  standIns = await startStandIns()
  server = await createTestApp({ environment: standIns.environment })
  send = injectSend(server.app)
  owner = await plantUser({ send, name: 'owner', customApi: standIns.customApi, hasAlpaca: true })
  other = await plantUser({ send, name: 'other', customApi: standIns.customApi, hasAlpaca: false })
  const jobs = await server.database.pool.query<{ id: string }>('SELECT id FROM jobs WHERE user_id = $1', [owner.id])
  for (const { id } of jobs.rows) owner.ids.add('job', id)
  const alerts = await server.database.pool.query<{ id: number }>(
    `INSERT INTO alerts (user_id, kind, cause, members, opened_at) VALUES ($1, 'outage', 'stop', '[]', now()) RETURNING id`,
    [owner.id],
  )
  owner.ids.add('inbox', alerts.rows[0]!.id)
  owner.ids.add('user', owner.id)
  owner.ids.add('factor', await addAuthenticator(owner))
})
afterAll(async () => {
  await server.close()
  await standIns.close()
})

async function addAuthenticator({ headers, password }: PlantedUser): Promise<string> {
  const ask = async (path: string, fields: object) => {
    const type = { 'content-type': 'application/json' }
    const sent = { method: 'POST', url: `/api/auth/factors/${path}`, headers: { ...headers, ...type } } as const
    return (await send({ ...sent, payload: JSON.stringify({ ...fields, password }) })).body
  }
  const { secret } = JSON.parse(await ask('totp/begin', {})) as { secret: string }
  const added = await ask('totp', { name: 'Phone', secret, code: codeAt(secret, new Date()) })
  return (JSON.parse(added) as { factor: { id: string } }).factor.id
}

interface Sent {
  readonly params?: Readonly<Record<string, string | number | undefined>>
  readonly fields?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** `fields` travel as the call has them: in the query, as JSON or as a form. */
function ask(call: ContractCall, { params = {}, fields, headers = {} }: Sent): Promise<WireAnswer> {
  const path = call.path.replaceAll(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? 1)))
  if (call.method === 'GET') {
    const query = new URLSearchParams(Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)]))
    return send({ method: 'GET', url: `${path}?${query.toString()}`, headers })
  }
  const type = { 'content-type': call.isMultipart ? MULTIPART : 'application/json' }
  const payload = call.isMultipart ? multipartBody(fields ?? {}) : JSON.stringify(fields ?? {})
  return send({ method: call.method, url: path, headers: { ...headers, ...type }, payload })
}

const idFields = (call: ContractCall): string[] => {
  const named = [call.query, call.body].flatMap((schema) => Object.keys(propertiesOf(schema)))
  const isOfSender = (name: string) => name === 'id' && SENDERS_IDS.has(call.id)
  const ids = named.filter((name) => /(_ids?|Ids?)$|^id$/.test(name) && !NO_ROWS.has(name) && !isOfSender(name))
  return [...ids, ...(MORE_ID_FIELDS[call.id] ?? [])]
}
const propertiesOf = (schema: JsonSchema | undefined) => schema?.properties ?? {}

/** Hashes, keys and passwords of any user, and everything that the other user has named. */
function expectNothingOf(user: PlantedUser, { body }: WireAnswer, what: string): void {
  for (const secret of [...owner.secrets, ...other.secrets, '$argon2']) expect(body.includes(secret), what).toBe(false)
  expect(body.includes(user.canary), `${what}: ${body.slice(0, 500)}`).toBe(false)
}

async function rowsOf(user: PlantedUser): Promise<unknown> {
  const answer = await send({ method: 'GET', url: '/api/user/export', headers: user.headers })
  const { data } = JSON.parse(answer.body) as { data: Record<string, unknown> }
  // A session says when it was last used, and the security log that the account was exported.
  return { ...data, sessions: undefined, security_events: undefined }
}

describe('every call of the contract', () => {
  it('is served, and every published call is declared', async () => {
    const { body } = await send({ method: 'GET', url: '/api/docs', headers: {} })
    const { paths } = JSON.parse(body) as { paths: Record<string, Record<string, unknown>> }
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    )
    const declared = new Set(calls.map(({ id }) => id))
    expect(served.filter((id) => !declared.has(id))).toEqual([])
  })

  it('answers 401 without a session, the public ones aside', async () => {
    const open: string[] = []
    for (const call of calls) {
      if (PUBLIC.has(call.id)) continue
      const answer = await ask(call, { fields: WITH_IDS[call.id]?.(other) ?? BODIES[call.id] ?? {} })
      if (answer.status !== 401) open.push(`${call.id} answered ${answer.status}`)
      expectNothingOf(owner, answer, call.id)
    }
    expect(open, 'A call that anyone may make has to be named in PUBLIC of this file.').toEqual([])
    expect(calls.filter(({ access, id }) => (access === 'anyone') !== PUBLIC.has(id)).map(({ id }) => id)).toEqual([])
  })

  it('is not there for any user but the operator, where it is theirs', async () => {
    const operators = calls.filter(({ access }) => access === 'operator')
    expect(operators.length).toBeGreaterThan(3)
    for (const call of operators) {
      const id = owner.ids.of('invitation')[0]
      const answer = await ask(call, { params: { id }, headers: other.headers })
      const { code } = JSON.parse(answer.body) as { code: string }
      expect([call.id, answer.status, code]).toEqual([call.id, 404, 'route.unknown'])
      expectNothingOf(owner, answer, call.id)
    }
  })

  it('refuses a foreign Origin where it changes something', async () => {
    const accepted: string[] = []
    const headers = { ...other.headers, origin: 'https://evil.example' }
    for (const call of calls) {
      if (call.method === 'GET') continue
      const { status } = await ask(call, { headers, fields: WITH_IDS[call.id]?.(other) ?? BODIES[call.id] ?? {} })
      if (status !== 403) accepted.push(`${call.id} answered ${status}`)
    }
    expect(accepted).toEqual([])
  })

  it("answers 404 to another user's id in its path, tells nothing and changes nothing", async () => {
    const before = await rowsOf(owner)
    const wrong: string[] = []
    for (const call of calls.filter(({ path }) => path.includes(':id'))) {
      const ids = owner.ids
        .of(kindOfParameter(call.path, 'id'))
        .filter((id) => !other.ids.of(kindOfParameter(call.path, 'id')).includes(id))
      expect(
        ids.length,
        `${call.id}: plant an object with such an id in test-support/fuzz/planted-user.ts`,
      ).toBeGreaterThan(0)
      const fields = WITH_IDS[call.id]?.(other) ?? BODIES[call.id] ?? {}
      const statuses = new Set<number>()
      for (const id of ids) {
        const answer = await ask(call, { params: { id }, fields, headers: other.headers })
        statuses.add(answer.status)
        expectNothingOf(owner, answer, `${call.id} with ${id}`)
      }
      // 400 is for an id of another shape: a kind of object may have numbers and names.
      const isRefused = statuses.has(404) && [...statuses].every((status) => status === 404 || status === 400)
      if (!isRefused)
        wrong.push(`${call.id} answered ${[...statuses].join(', ')}; a body that is needed belongs in BODIES`)
    }
    expect(wrong).toEqual([])
    expect(await rowsOf(owner)).toEqual(before)
  })

  it("answers 404 to another user's id in its query or body, tells nothing and changes nothing", async () => {
    const before = await rowsOf(owner)
    const wrong: string[] = []
    for (const call of calls) {
      for (const field of idFields(call)) {
        const around = WITH_IDS[call.id]
        expect(
          around,
          `${call.id} has the id ${field}: add the call to WITH_IDS, or the field to NO_ROWS`,
        ).toBeDefined()
        const kind = kindOfField(field)
        const id = owner.ids.of(kind)[0]
        expect(id, `${field}: plant a ${kind} in test-support/fuzz/planted-user.ts`).toBeDefined()
        const fields = { ...around!(other), [field]: field.endsWith('ids') ? [id] : id }
        const params = call.path.includes(':id') ? { id: other.ids.of(kindOfParameter(call.path, 'id'))[0] } : {}
        const answer = await ask(call, { params, fields, headers: other.headers })
        expectNothingOf(owner, answer, `${call.id} with ${field}`)
        if (answer.status !== (OTHER_REFUSALS[`${call.id} ${field}`] ?? 404))
          wrong.push(`${call.id} with ${field} ${id} answered ${answer.status} ${answer.body.slice(0, 200)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(await rowsOf(owner)).toEqual(before)
  })

  it('reads to a user what is theirs, without secrets and without anything of another user', async () => {
    const seen = new Set<string>()
    const named = new Set<string>()
    const fieldsOf = (id: string) =>
      WITH_IDS[id]?.(owner) ?? (id === 'GET /api/tickers/lookup' ? { ticker: 'SPY' } : {})
    for (const call of calls.filter(({ method, path }) => method === 'GET' && path !== '/api/events')) {
      const parameter = /:(\w+)/.exec(call.path)?.[1]
      const kind = parameter === undefined ? undefined : kindOfParameter(call.path, parameter)
      const ids = kind === undefined ? [undefined] : [...owner.ids.of(kind), 1]
      for (const id of ids) {
        const params = { id, generation: 1, ticker: 'SPY' }
        const answer = await ask(call, { params, fields: fieldsOf(call.id), headers: owner.headers })
        expectNothingOf(other, withoutKnownNames(call.id, [other], answer), call.id)
        if (answer.status < 400) seen.add(call.id)
        if (answer.body.includes(owner.canary)) named.add(call.id)
        if (answer.status === 200 && answer.body.startsWith('{')) harvestIds(JSON.parse(answer.body), owner.ids)
      }
    }
    const unseen = calls.filter(({ method, id }) => method === 'GET' && !seen.has(id)).map(({ id }) => id)
    // Deployments and strategies of the planted users have no record. A sale belongs to an account, and the planted accounts have sold
    // nothing; the token of a link is told once, and the second step belongs to a sign-in that waits for it.
    expect(unseen).toEqual([
      'GET /api/alpaca/portfolio/lots/sale',
      'GET /api/deployment/:id/record/file',
      'GET /api/events',
      'GET /api/login/second-step',
      'GET /api/records/:token',
      'GET /api/records/:token/file',
      'GET /api/shared/:token',
      'GET /api/shared/:token/passport',
      'GET /api/strategies/:id/record/file',
    ])
    // The names are there to be found: otherwise the search for those of another user would prove nothing.
    expect(named.size).toBeGreaterThan(20)
  })
})

/** The kind of object whose id a field holds. */
function kindOfField(field: string): string {
  if (field === 'store') return 'data_store'
  if (field === 'referenceBacktestId') return 'backtest'
  if (field.endsWith('list_ids')) return 'ticker_list'
  return field.replace(/_ids?$/, '').replace(/^(alpaca|depends_on)_/, '')
}
