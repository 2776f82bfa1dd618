import { STAND_IN_KEYS } from '../stand-ins/alpaca/alpaca.ts'
import { allocationForm } from '../backtest-form.ts'
import { optimizationForm } from '../optimization.ts'
import { constructionForm } from '../constructions.ts'
import { studyForm } from '../studies.ts'
import { FACTORS } from './examples.ts'
import { harvestIds, IdPool } from './id-pool.ts'
import { MULTIPART, multipartBody, type Send, type WireAnswer } from './wire.ts'

/** A user with one of everything. All that has a name carries `canary`; no answer to another user may contain it. */
export interface PlantedUser {
  readonly id: number
  readonly username: string
  readonly password: string
  readonly canary: string
  /** No answer to any user contains one of these, the answers that hand out a session aside. */
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly ids: IdPool
}

export interface PlantSettings {
  readonly send: Send
  readonly name: string
  /** Where a custom provider finds an API that takes this key. */
  readonly customApi: { readonly definition: object; readonly apiKey: string }
  /** False: the paper account alone. Alpaca allows 200 calls a minute, and answers wait for their turn. */
  readonly hasAlpaca: boolean
}

/** The first user who registers operates the instance. Who may use it is theirs to know; nothing else of a user is. */
const NAMES_FOR_THE_OPERATOR = new Set(['GET /api/operator/users', 'GET /api/operator/security-log'])

/** The answer of a call as it is searched for what belongs to these users. */
export const withoutKnownNames = (call: string, users: readonly PlantedUser[], answer: WireAnswer): WireAnswer =>
  NAMES_FOR_THE_OPERATOR.has(call)
    ? { ...answer, body: users.reduce((body, { username }) => body.replaceAll(username, ''), answer.body) }
    : answer

const DATES = { startDate: '2021-01-04', endDate: '2021-06-30' }

/** Registers a user and makes one object of every kind that has an id. Throws where a step is refused. */
export async function plantUser({ send, name, customApi, hasAlpaca }: PlantSettings): Promise<PlantedUser> {
  const canary = `canary-${name}`
  const secret = (what: string) => `secret-${what}-${name}`
  const [username, password] = [`${canary}-user`, secret('password')]
  const registered = await send(jsonRequest('POST', '/api/register', { username, password }))
  const cookie = cookieOf(registered)
  const { id, token } = answered(registered, 'registering') as { id: number; token: string }
  const headers = { cookie }
  const ids = new IdPool()
  const call = async (method: string, url: string, body?: object): Promise<unknown> => {
    const request = jsonRequest(method, url, body)
    return learn(await send({ ...request, headers: { ...request.headers, ...headers } }), url)
  }
  const learn = (answer: WireAnswer, url: string): unknown => {
    const value = answered(answer, url)
    harvestIds(value, ids)
    return value
  }
  const form = async (url: string, fields: Record<string, unknown>) =>
    learn(
      await send({
        method: 'POST',
        url,
        headers: { ...headers, 'content-type': MULTIPART },
        payload: multipartBody(fields),
      }),
      url,
    )

  const { account } = (await call('POST', '/api/alpaca/paper-account', { account_name: canary })) as {
    account: { id: number }
  }
  if (hasAlpaca) {
    const { keyId, secretKey } = STAND_IN_KEYS
    await call('POST', '/api/alpaca/accounts', { account_name: canary, api_key: keyId, api_secret: secretKey })
  }
  await call('POST', '/api/openai/connect', { api_key: secret('openai-key') })
  await call('POST', '/api/alerts/channels', {
    kind: 'webhook',
    name: canary,
    fields: { url: `https://example.com/${secret('webhook')}`, secret: secret('webhook-signing-secret') },
  })
  const { secret: apiKey } = (await call('POST', '/api/keys', {
    name: canary,
    scopes: ['read', 'propose'],
    password,
  })) as {
    secret: string
  }
  await call('POST', '/api/data-stores', {
    name: canary,
    store_type: 'postgresql',
    connection_config: {
      host: '127.0.0.1',
      port: 1,
      database: 'd',
      username: canary,
      password: secret('store-password'),
    },
  })
  await call('POST', '/api/data-collector/providers', {
    definition: { ...customApi.definition, id: name, displayName: canary },
    ticker: 'AAPL',
    api_key: customApi.apiKey,
  })
  await form('/api/data-collector/import', { ticker: canary, file: 'date,close\n2024-01-02,100\n2024-01-03,101\n' })
  await call('POST', '/api/data-collector/saved-queries', { name: canary, tickers: [canary] })
  const { data_stores: stores } = (await call('GET', '/api/data-stores')) as { data_stores: { id: number }[] }
  await call('POST', '/api/data-collector/jobs', {
    name: canary,
    provider_id: 'sample',
    data_store_id: stores[0]!.id,
    tickers: ['SPY'],
    data_granularity: '1d',
    categories: ['close'],
    start_date: DATES.startDate,
    end_date: DATES.endDate,
  })
  const named = { strategyName: canary, backtestName: canary, saveStrategy: 'true', saveBacktest: 'true' }
  const tested = (await form('/api/backtest', { ...allocationForm, ...DATES, ...named })) as {
    strategy_id: number
    backtest_id: number
  }
  await call('POST', `/api/backtests/${tested.backtest_id}/links`, {})
  await call('POST', '/api/deployment/create', {
    deployment_name: canary,
    strategy_id: tested.strategy_id,
    alpaca_account_id: account.id,
    capital_policy_value: 1000,
  })
  for (const list_type of ['target', 'feature']) {
    await call('POST', '/api/ticker-lists', { name: canary, list_type, tickers: ['SPY'] })
  }
  ids.add('proposal', await plantProposal(send, apiKey, canary))
  const search = { ...optimizationForm, start_date: DATES.startDate, population_size: 2, generations: 1 }
  await call('POST', '/api/feature-optimization', search)
  await call('POST', '/api/parameter-studies', {
    ...studyForm,
    backtest: { ...studyForm.backtest, strategyName: canary },
  })
  await call('POST', '/api/portfolio-constructions', {
    ...constructionForm,
    backtest: { ...constructionForm.backtest, strategyName: canary },
  })
  await form('/api/factor-files', { name: canary, file: FACTORS })
  await call('POST', '/api/ai-assistant-query', { message: canary })
  const { is_operator: isOperator } = (await call('GET', '/api/operator')) as { is_operator: boolean }
  if (isOperator) await call('POST', '/api/operator/invitations', { days: 30 })
  for (const url of LISTS) await call('GET', url)
  const secrets = [
    password,
    token,
    cookie.split('=')[1]!,
    secret('openai-key'),
    secret('store-password'),
    secret('webhook'),
    secret('webhook-signing-secret'),
    apiKey,
  ]
  return {
    id,
    username,
    password,
    canary,
    headers,
    ids,
    secrets: [...secrets, STAND_IN_KEYS.secretKey, customApi.apiKey],
  }
}

/** By the MCP server, as an agent would. */
async function plantProposal(send: Send, apiKey: string, name: string): Promise<number> {
  const input = { name, list_type: 'target', tickers: ['SPY'] }
  const params = { name: 'propose_make_ticker_list', arguments: input }
  const request = jsonRequest('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json, text/event-stream' }
  const { body } = await send({ ...request, headers: { ...request.headers, ...headers } })
  const id = Number(/Proposal (\d+) waits/.exec(body)?.[1])
  if (!id) throw new Error(`proposing answered ${body.slice(0, 300)}`)
  return id
}

/** Whose answers name the ids that creating did not. */
const LISTS = [
  '/api/factor-files',
  '/api/backtests/all',
  '/api/alpaca/accounts',
  '/api/data-collector/providers',
  '/api/data-collector/jobs',
  '/api/ai-assistant-conversations',
  '/api/auth/sessions',
  '/api/deployment/list',
  '/api/optimization-runs',
  '/api/parameter-studies',
  '/api/portfolio-constructions',
]

const jsonRequest = (method: string, url: string, body?: object) => ({
  method,
  url,
  headers: body ? { 'content-type': 'application/json' } : {},
  ...(body && { payload: JSON.stringify(body) }),
})

export const cookieOf = ({ headers }: WireAnswer): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';', 1)[0])
    .join('; ')

function answered({ status, body }: WireAnswer, what: string): unknown {
  if (status !== 200) throw new Error(`${what} answered ${status}: ${body.slice(0, 300)}`)
  return JSON.parse(body)
}
