import { createServer, isIPv6, type Server } from 'node:net'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { lookup } from 'node:dns/promises'
import { dateOf, dayStamp } from '@tradewright/core/time'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pagedDefinition } from '../test-support/stand-ins/custom-api.ts'
import { testSurroundings } from '../test-support/test-surroundings.ts'
import { userAddresses } from './adapters/alerts/user-address.ts'
import { customProvider, readHere } from './adapters/custom-provider/provider.ts'
import { pageReader } from './adapters/documentation/page-reader.ts'
import { addressGuard, type GuardOptions, isPublicAddress, guardedTransport } from './adapters/http/address-guard.ts'
import { openAiModels, guardedFetch } from './adapters/openai/chat-model.ts'
import { ProviderDefinition } from './market-data/provider-definition.ts'
import { SeriesStores } from './stores/series/series-stores.ts'
import { storeLimits, type ConnectionConfig, type StoreType } from './stores/series/store-access.ts'
import { processLock } from './stores/series/writer-lock.ts'

const never = new AbortController().signal
const KEYS = { access_key_id: 'a', secret_access_key: 'b' }

/** Stands in for a public host, since no test may leave loopback; connections to it are not counted. */
const PUBLIC = '127.0.0.2'
const isAllowed = (address: string) => address === PUBLIC || isPublicAddress(address)

const storeDoor =
  (type: StoreType, config: (host: string, port: number) => ConnectionConfig) =>
  (guard: GuardOptions, host: string, port: number): Promise<unknown> => {
    const limits = { ...storeLimits, connectMs: 1_500, operationMs: 3_000 }
    const stores = new SeriesStores({
      duck: undefined as never,
      clock: { now: () => new Date() },
      database: undefined as never,
      lock: processLock(),
      systemRoot: join(tmpdir(), 'tradewright-never'),
      diskLimitBytesPerUser: 0,
      history: { keepMs: 0, limitBytesPerUser: 0 },
      localRoots: [join(tmpdir(), 'tradewright-never')],
      cacheFolder: join(tmpdir(), 'tradewright-never'),
      access: { guard: addressGuard(guard), allowAmbientCredentials: true, limits },
    })
    return stores.checkConnection(type, config(host, port))
  }

const urlOf = (host: string, port: number) => `http://${isIPv6(host) ? `[${host}]` : host}:${port}`

const alertDoor = (path: string) => (guard: GuardOptions, host: string, port: number) => {
  const http = { ...testSurroundings(), transport: guardedTransport(guard) }
  return userAddresses(http, { allowsPlain: true }).call(`${urlOf(host, port)}${path}`, { signal: never })
}

/** Every place where a user can enter an address: docs/security.md has the same list. */
const DOORS: Readonly<Record<string, (guard: GuardOptions, host: string, port: number) => Promise<unknown>>> = {
  's3 endpoint': storeDoor('s3', (host, port) => ({
    bucket: 'market',
    region: 'us-east-1',
    ...KEYS,
    endpoint: urlOf(host, port),
  })),
  'azure endpoint': storeDoor('azure', (host, port) => ({
    account_name: 'account',
    account_key: 'a2V5',
    container_name: 'market',
    endpoint: `${urlOf(host, port)}/account`,
  })),
  'postgresql host': storeDoor('postgresql', (host, port) => ({
    host,
    port,
    database: 'x',
    username: 'x',
    password: 'x',
  })),
  'mongodb host': storeDoor('mongodb', (host, port) => ({ mongo_host: host, port, mongo_database: 'x' })),
  'custom provider': async (guard, host, port) => {
    const surroundings = { ...testSurroundings(), transport: guardedTransport(guard) }
    const definition = ProviderDefinition.parse(pagedDefinition(urlOf(host, port)))
    const provider = customProvider(
      definition,
      { userId: 1, apiKey: 'k' },
      { surroundings, readPage: async (page) => readHere(page) },
    )
    const range = { from: dayStamp(dateOf('2025-01-02')), to: dayStamp(dateOf('2025-02-01')) }
    const [result] = await Array.fromAsync(
      provider.fetch({ tickers: ['AAPL'], granularity: '1d', categories: ['close'], range }, never),
    )
    if (result?.outcome !== 'delivered') throw new Error(JSON.stringify(result))
  },
  'documentation page': (guard, host, port) =>
    pageReader({ ...testSurroundings(), transport: guardedTransport(guard) })(`${urlOf(host, port)}/docs`, never),
  webhook: alertDoor('/hook'),
  'ntfy server': alertDoor('/topic'),
  heartbeat: alertDoor('/ping'),
  'AI model server': (guard, host, port) => {
    const models = openAiModels({
      baseUrl: 'http://127.0.0.1:9',
      guardedFetch: guardedFetch(guard),
      silenceLimitMs: 2_000,
      retries: 0,
    })
    return models({ apiKey: 'sk', model: 'm', baseUrl: urlOf(host, port) }).offered(never)
  },
}

const HOSTILE = [
  '127.0.0.1',
  'localhost',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '0',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'fd00:ec2::254',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '224.0.0.1',
  'metadata.google.internal',
  'public-and-private.test',
  'user:password@127.0.0.1',
  '/var/run/postgresql',
  '%2Fvar%2Frun%2Fpostgresql',
  'x.sock',
  '127.0.0.1:1/?tls=true&tlsCAFile=/etc/passwd&appName=',
  '127.0.0.1,127.0.0.1',
  '127.0.0.1#',
  '127.0.0.1?x=',
]

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'metadata.google.internal': ['169.254.169.254'],
  'public-and-private.test': [PUBLIC, '127.0.0.1'],
}
const resolve: NonNullable<GuardOptions['resolve']> = async (hostname) => {
  const known = NAMES[hostname]
  if (known) return known.map((address) => ({ address, family: 4 }))
  // The forms that only a resolver understands (2130706433, 0x7f.1) go to the real one; it leaves this machine for none.
  if (/^[\da-fx.]+$|^localhost$/.test(hostname)) return lookup(hostname, { all: true })
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
}

let listener: Server
let port = 0
let connections = 0
beforeAll(async () => {
  listener = createServer((socket) => {
    if (!socket.localAddress?.endsWith(PUBLIC)) connections++
    socket.destroy()
  })
  await new Promise<void>((done) => listener.listen(0, '::', done))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  port = address.port
})
afterAll(() => new Promise((done) => listener.close(done)))
beforeEach(() => {
  connections = 0
})

async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('it was accepted')
}

/** A driver or system that tells what it found: open or closed ports, files, other hosts. */
const TELLING = /ECONN|ENOENT|EISDIR|EACCES|\bopen\b|nothing answers|connection was cut|does not answer\b/

describe.each(Object.keys(DOORS))('the address of a %s', (door) => {
  const enter = (host: string, guard: GuardOptions = { resolve, isAllowed }) =>
    failureOf(Promise.resolve().then(() => DOORS[door]!(guard, host, port)))

  it('is refused before any connection in every hostile form', async () => {
    for (const host of HOSTILE) {
      const sentence = await enter(host)
      expect(sentence, host).not.toBe('it was accepted')
      expect(sentence, host).not.toMatch(TELLING)
    }
    expect(connections).toBe(0)
  })

  it('gains nothing from a name that resolves to a public address first and to loopback then', async () => {
    let asked = 0
    const rebinding: GuardOptions['resolve'] = async () => [
      { address: asked++ === 0 ? PUBLIC : '127.0.0.1', family: 4 },
    ]
    await enter('rebinding.test', { resolve: rebinding, isAllowed: (address) => address === PUBLIC })
    expect(asked).toBeGreaterThan(0)
    expect(connections).toBe(0)
  })

  it('is called where the operator allows it', async () => {
    await enter('127.0.0.1', { isAllowed: () => true })
    expect(connections).toBeGreaterThan(0)
  })
})

describe('a name that becomes part of a host', () => {
  it.each([
    ['azure', { account_name: '127.0.0.1:3316/x?', account_key: 'a2V5', container_name: 'market' }],
    ['azure', { account_name: 'a.evil.example/x', account_key: 'a2V5', container_name: 'market' }],
    ['s3', { bucket: '127.0.0.1:1/x#', region: 'us-east-1', ...KEYS }],
    ['s3', { bucket: 'market', region: 'x.evil.example/#', ...KEYS }],
    ['s3', { bucket: 'arn:aws:s3:us-east-1:1:accesspoint/x', region: 'us-east-1', ...KEYS }],
    ['gcs', { gcs_bucket: '../../x', project_id: 'p', service_account: { client_email: 'a', private_key: 'b' } }],
    ['mongodb', { mongo_host: 'db.example.com', mongo_database: 'x?tls=true' }],
  ] as const)('is refused in %s: %j', async (type, config) => {
    const door = storeDoor(type, () => config)
    expect(await failureOf(door({}, '', 0))).toMatch(
      /cannot be the (account_name|bucket|region|gcs_bucket|mongo_database)/,
    )
  })
})
