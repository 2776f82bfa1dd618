import { deriveSeed, Random } from '@tradewright/core/random'
import type { ContractCall } from './contract-calls.ts'
import { EXAMPLES } from './examples.ts'
import { kindOfParameter } from './id-pool.ts'
import { chance, hostileValue, idPlaceholder, nearlyValid, pick, validValue } from './values.ts'

/** A request before its ids are known. Equal seeds give equal requests, whatever the server answers. */
export interface PlannedRequest {
  readonly index: number
  readonly call: string
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
  /** Pairs, because a name may come twice. */
  readonly query: readonly (readonly [string, unknown])[]
  readonly body: unknown
  readonly isMultipart: boolean
  /** Instead of the content type that the body has. */
  readonly contentType?: string | undefined
  /** Instead of `body`: what no encoder would write. */
  readonly rawBody?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly caller: 'ann' | 'bob' | 'guest' | 'stranger'
}

/** Calls that end sessions or users, or replace a session: made by a guest, who registers again. */
const ENDS_SESSIONS = /^(POST \/logout|DELETE \/api\/auth\/sessions|POST \/api\/(user\/delete|auth\/|register|login))/

/**
 * Hashing a password or computing a result takes some hundred times as long as other answers, and an outside service
 * has an allowance of calls a minute: called as much less.
 */
const IS_COSTLY =
  /\/(register|login|password\/\w+|user\/delete|backtest|feature-optimization|parameter-studies|portfolio-constructions|rerun|run|preview|quality|clear|test|import|providers|try|generate|validate|validate-mapping|create|create-with-positions|correlations\/:ticker|export)$/

/** The call that a request of this index makes: costly ones once in `rarity` of their turns. */
export function callAt(calls: readonly ContractCall[], seed: number, index: number, rarity = 20): ContractCall {
  const random = new Random(deriveSeed(seed, index, 1))
  const call = pick(random, calls)
  return IS_COSTLY.test(call.id) && random.below(rarity) > 0
    ? pick(
        random,
        calls.filter(({ id }) => !IS_COSTLY.test(id)),
      )
    : call
}

export function planRequest(call: ContractCall, seed: number, index: number): PlannedRequest {
  const random = new Random(deriveSeed(seed, index, 2))
  let planned = validRequest(call, index, random)
  // Two in five as the contract has it, the others with one to three mistakes.
  const mistakes = chance(random, 0.4) ? 0 : 1 + random.below(3)
  for (let i = 0; i < mistakes; i++) planned = pick(random, MISTAKES)(planned, random)
  return ENDS_SESSIONS.test(`${planned.method} ${planned.path}`) ? { ...planned, caller: 'guest' } : planned
}

function validRequest(call: ContractCall, index: number, random: Random): PlannedRequest {
  const params = Object.keys(call.params?.properties ?? {}).map((name) => {
    const isId = name === 'id'
    const value = isId ? idPlaceholder(random, kindOfParameter(call.path, name)) : pick(random, ['SPY', '1', 'AAPL'])
    return [name, value] as const
  })
  const query = Object.entries((call.query ? validValue(call.query, '', random) : {}) as object)
  return {
    index,
    call: call.id,
    method: call.method,
    path: call.path,
    params: Object.fromEntries(params),
    query,
    body: validBody(call, random),
    isMultipart: call.isMultipart,
    headers: chance(random, 0.05) ? { accept: 'text/event-stream' } : {},
    caller: pick(random, ['ann', 'ann', 'bob', 'bob', 'stranger']),
  }
}

function validBody(call: ContractCall, random: Random): unknown {
  const examples = EXAMPLES[call.id]
  if (examples && chance(random, 0.8)) return { ...pick(random, examples) }
  const generated = call.body && validValue(call.body, '', random)
  return examples && typeof generated === 'object' ? { ...pick(random, examples), ...generated } : generated
}

type Mistake = (request: PlannedRequest, random: Random) => PlannedRequest

/** A field of the body, of the query or of the path, made nearly valid or hostile. */
const spoilField: Mistake = (request, random) => {
  const spoil = (value: unknown) => (chance(random, 0.5) ? nearlyValid(value, random) : hostileValue(random))
  const parts = [
    ...(isFilled(request.body) ? ['body'] : []),
    ...(request.query.length > 0 ? ['query'] : []),
    ...(isFilled(request.params) ? ['params'] : []),
  ]
  if (parts.length === 0) return { ...request, body: hostileValue(random) }
  const part = pick(random, parts)
  if (part === 'query') {
    const at = random.below(request.query.length)
    return { ...request, query: request.query.map(([name, value], i) => [name, i === at ? spoil(value) : value]) }
  }
  if (part === 'params') {
    const name = pick(random, Object.keys(request.params))
    return { ...request, params: { ...request.params, [name]: spoil(request.params[name]) } }
  }
  return { ...request, body: spoilPart(request.body, spoil, random) }
}

/** Goes down into lists and objects half of the time, so that leaves and whole branches are spoiled alike. */
function spoilPart(value: unknown, spoil: (value: unknown) => unknown, random: Random, depth = 0): unknown {
  if (!isFilled(value) || (depth > 0 && chance(random, 0.5))) return spoil(value)
  const key = pick(random, Object.keys(value))
  const changed = spoilPart((value as Record<string, unknown>)[key], spoil, random, depth + 1)
  if (!Array.isArray(value)) return { ...value, [key]: changed }
  return value.map((item: unknown, i) => (String(i) === key ? changed : item))
}

const isFilled = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) !== null && Object.keys(value).length > 0

const dropField: Mistake = (request, random) => {
  if (!isFilled(request.body) || Array.isArray(request.body)) return request
  const dropped = pick(random, Object.keys(request.body))
  return { ...request, body: Object.fromEntries(Object.entries(request.body).filter(([name]) => name !== dropped)) }
}

const UNKNOWN_NAMES = ['__proto__', 'constructor', 'user_id', 'id', 'is_admin', 'toString', 'a\0b', 'x'.repeat(200), '']
const addField: Mistake = (request, random) => {
  const [name, value] = [pick(random, UNKNOWN_NAMES), hostileValue(random)]
  if (chance(random, 0.4)) return { ...request, query: [...request.query, [name, value]] }
  // `fromEntries` makes an own field of `__proto__`, as JSON does.
  return isFilled(request.body)
    ? { ...request, body: Object.fromEntries([...Object.entries(request.body), [name, value]]) }
    : { ...request, body: { [name]: value } }
}

const repeatQuery: Mistake = (request, random) =>
  request.query.length === 0
    ? addField(request, random)
    : { ...request, query: [...request.query, pick(random, request.query)] }

const replaceBody: Mistake = (request, random) => ({ ...request, body: hostileValue(random) })

const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'nonsense',
  'multipart/form-data',
  'multipart/form-data; boundary=other',
  'application/json; charset=utf-16',
  'application/json',
]
const changeType: Mistake = (request, random) => ({ ...request, contentType: pick(random, CONTENT_TYPES) })
const swapEncoding: Mistake = (request) => ({ ...request, isMultipart: !request.isMultipart })

const RAW_BODIES = [
  '{"a":',
  '[',
  '{"a":1}}',
  '\0',
  '{"__proto__":{"x":1}}',
  'null',
  '"text"',
  '1e999',
  '',
  ' ',
  '{"a":"\\ud800"}',
  `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
  '--tradewright-form-boundary\r\n\r\n',
  'x'.repeat(70_000),
]
const writeRaw: Mistake = (request, random) => ({ ...request, rawBody: pick(random, RAW_BODIES) })

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const changeMethod: Mistake = (request, random) => ({ ...request, method: pick(random, METHODS) })

const PATH_ENDS = [
  '/',
  '//',
  '/..',
  '/%00',
  '/%2e%2e%2f',
  '/%E0%A4%A',
  '?',
  '/undefined',
  `/${'x'.repeat(2_000)}`,
  '%20',
  ';a=1',
  '.json',
]
const extendPath: Mistake = (request, random) => ({ ...request, path: request.path + pick(random, PATH_ENDS) })

const HEADERS: readonly Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { authorization: 'Bearer nonsense' },
  { cookie: 'tradewright_session=%00' },
  { accept: 'text/html' },
  { accept: 'text/event-stream' },
  // Not one that is served: what is searched for in answers would not be found in compressed ones.
  { 'accept-encoding': 'nonsense;q=nonsense' },
  { 'content-encoding': 'gzip' },
  { 'x-forwarded-for': '1.2.3.4, ::1' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { 'x-http-method-override': 'DELETE' },
]
const addHeader: Mistake = (request, random) => ({
  ...request,
  headers: { ...request.headers, ...pick(random, HEADERS) },
})

/** Most mistakes are in fields; the others are as many kinds as a server must refuse. */
const MISTAKES: readonly Mistake[] = [
  ...Array.from({ length: 12 }, () => spoilField),
  dropField,
  dropField,
  addField,
  addField,
  repeatQuery,
  replaceBody,
  changeType,
  swapEncoding,
  writeRaw,
  changeMethod,
  extendPath,
  addHeader,
  addHeader,
]
