import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Binary, type Db } from 'mongodb'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type HostileServer,
  type Hostility,
  httpHead,
  startHostileServer,
} from '../../../test-support/stand-ins/hostile-server.ts'
import { loopbackAccess } from '../../../test-support/store-access.ts'
import { azureStorage } from './objects/azure.ts'
import { gcsStorage } from './objects/gcs.ts'
import { mongodbStorage, mongodbStorageOn, FrameCheck } from './objects/mongodb.ts'
import { listAll, type ObjectStorage } from './objects/object-storage.ts'
import { s3Storage } from './objects/s3.ts'
import type { StoreAccess } from './store-access.ts'
import { guardedPool } from './postgresql/guarded-pool.ts'
import { reasonOf } from './driver-errors.ts'

const LIMITS = {
  connectMs: 400,
  operationMs: 400,
  queryMs: 400,
  minBytesPerSecond: 10_000_000,
  maxAnswerBytes: 300_000,
  maxErrorBytes: 300_000,
  maxTextBytes: 300_000,
  maxQueryBytes: 300_000,
  maxListed: 50,
}
const access = loopbackAccess(LIMITS)

const BUCKETS: Readonly<Record<string, (server: HostileServer, access: StoreAccess) => ObjectStorage>> = {
  s3: ({ url }, access) =>
    s3Storage(
      {
        bucket: 'market',
        region: 'us-east-1',
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
        endpoint: url,
      },
      access,
    ),
  azure: ({ url }, access) =>
    azureStorage(
      { accountName: 'account', accountKey: 'a2V5', containerName: 'market', endpoint: `${url}/account` },
      access,
    ),
  gcs: ({ url }, access) => gcsStorage({ bucket: 'market', projectId: 'p', serviceAccount: undefined }, access, url),
  mongodb: ({ port }, access) =>
    mongodbStorage(
      {
        host: '127.0.0.1',
        port,
        database: 'market',
        username: undefined,
        password: undefined,
        collectionPrefix: 'data_',
      },
      access,
    ),
}

/** In our own words, whichever limit ended it. */
const REASON =
  /^(the host does not answer|it sent more than it should|nothing answers at that host and port|the connection was cut|it does not answer as it should)$/

let root: string
let server: HostileServer | undefined
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tradewright-limits-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
afterEach(() => server?.close())

async function reasonFor(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return reasonOf(error)
  }
  throw new Error('it succeeded')
}

describe.each(['silent', 'dripping', 'endless'] as const)('a bucket that is %s', (hostility: Hostility) => {
  // Whose server is Google's own: it keeps to the range of bytes that is asked for.
  const types = Object.keys(BUCKETS).filter((type) => type !== 'gcs' || hostility !== 'endless')
  it.each(types)('is given up by %s', async (type) => {
    server = await startHostileServer(hostility, type === 'mongodb' ? Buffer.from([0, 0, 0, 1]) : httpHead())
    const storage = BUCKETS[type]!(server, access)
    const source = join(root, 'source')
    await writeFile(source, Buffer.alloc(1_000))
    const target = join(root, `${type}-${hostility}`)
    const reasons = await Promise.all([
      reasonFor(storage.check()),
      reasonFor(storage.list('log/')),
      reasonFor(storage.get('log/1.json')),
      reasonFor(storage.download('gold/a.parquet', target, 100_000)),
    ])
    for (const reason of reasons) expect(reason).toMatch(REASON)
    const written = await stat(target).catch(() => undefined)
    expect(written?.size ?? 0).toBeLessThanOrEqual(100_000)
    await storage.close()
  })
})

describe.each(['silent', 'dripping', 'endless'] as const)('a PostgreSQL that is %s', (hostility: Hostility) => {
  it('is given up', async () => {
    // A parameter status message that never ends.
    server = await startHostileServer(hostility, Buffer.from([0x53, 0x7f, 0xff, 0xff, 0xff]))
    const settings = {
      host: '127.0.0.1',
      port: server.port,
      database: 'x',
      username: 'x',
      password: 'x',
      schema: 'x',
      prefix: 'x',
      ssl: false,
    }
    const pool = guardedPool(settings, access)
    expect(await reasonFor(pool.query('SELECT 1'))).toMatch(REASON)
    await pool.end()
  })
})

describe('a PostgreSQL that answers with small rows', () => {
  const message = (type: string, ...body: number[]): Buffer =>
    Buffer.concat([Buffer.from(type), Buffer.from([0, 0, 0, body.length + 4]), Buffer.from(body)])
  const ready = message('Z', 'I'.charCodeAt(0))
  const signedIn = Buffer.concat([message('R', 0, 0, 0, 0), ready])
  const emptyRow = message('D', 0, 0)

  function startPostgresOf(rows: number): Promise<Server> {
    const answer = Buffer.concat([
      message('T', 0, 0),
      ...Array<Buffer>(rows).fill(emptyRow),
      message('C', ...Buffer.from('SELECT\0')),
      ready,
    ])
    const postgres = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(signedIn)
        socket.on('data', () => socket.write(answer))
      })
    })
    return new Promise((resolve) => postgres.listen(0, '127.0.0.1', () => resolve(postgres)))
  }

  async function askedFor(rows: number): Promise<string | number> {
    const postgres = await startPostgresOf(rows)
    const { port } = postgres.address() as AddressInfo
    const words = { database: 'x', username: 'x', password: 'x', schema: 'x', prefix: 'x' }
    const pool = guardedPool({ host: '127.0.0.1', port, ssl: false, ...words }, access)
    try {
      return (await pool.query('SELECT')).rows.length
    } catch (error) {
      return reasonOf(error)
    } finally {
      await pool.end()
      postgres.close()
    }
  }

  it('is given up when they are too many, however few bytes they have', async () => {
    expect(await askedFor(50)).toBe(50)
    // More than one packet: the connection is broken off between two.
    expect(await askedFor(30_000)).toBe('it sent more than it should')
  })
})

describe.each(['s3', 'azure'])('the XML of %s', (type) => {
  async function reasonAfter(status: number, bytes: number): Promise<{ reason: string; pageSizes: unknown[] }> {
    const pageSizes: unknown[] = []
    const bucket = createHttpServer((request, response) => {
      const { searchParams } = new URL(request.url!, 'http://bucket')
      pageSizes.push(searchParams.get('max-keys') ?? searchParams.get('maxresults'))
      response.writeHead(status, { 'content-type': 'application/xml' }).end(`<a>${' '.repeat(bytes)}</a>`)
    })
    await new Promise<void>((done) => bucket.listen(0, '127.0.0.1', done))
    const { port } = bucket.address() as AddressInfo
    const storage = BUCKETS[type]!({ port, url: `http://127.0.0.1:${port}`, close: async () => {} }, loopbackAccess())
    const reason = await reasonFor(storage.list('log/'))
    await storage.close()
    bucket.closeAllConnections()
    bucket.close()
    return { reason, pageSizes }
  }

  it('is parsed only when it is as short as an error should be', async () => {
    expect((await reasonAfter(403, 70_000)).reason).toBe('it sent more than it should')
    expect((await reasonAfter(403, 60_000)).reason).toMatch(/^the key /)
  })

  it('comes in pages that are short', async () => {
    const { reason, pageSizes } = await reasonAfter(200, 2 * 1024 ** 2)
    expect(reason).toBe('it sent more than it should')
    expect(new Set(pageSizes)).toEqual(new Set(['500']))
  })
})

describe('a listing', () => {
  const page = (count: number) => ({
    objects: Array.from({ length: count }, (_, index) => ({ key: `${index}`, modifiedAt: 0 })),
    next: 'more',
  })
  it('that never ends is given up, whether its pages are full or empty', async () => {
    await expect(listAll(access.limits, async () => page(10))).rejects.toThrow('more than 50')
    await expect(listAll(access.limits, async () => page(0))).rejects.toThrow('more than 50')
  })
})

describe('the messages of a MongoDB', () => {
  const message = (size: number, operation: number, ...more: number[]) => {
    const head = Buffer.alloc(16 + more.length * 4)
    for (const [index, number] of [size, 0, 0, operation, ...more].entries()) head.writeInt32LE(number, index * 4)
    return head
  }
  const check = (...chunks: Buffer[]) => {
    const frames = new FrameCheck()
    return chunks.map((chunk) => frames.add(chunk, 48_000_000)).find(Boolean)
  }

  it.each([
    ['two thousand million documents', message(40, 1, 0, 0, 0, 0, 2_000_000_000)],
    ['a size that no message has', message(2_000_000_000, 2013)],
    ['a negative size', message(-1, 2013)],
    ['something compressed', message(100, 2012)],
  ])('are not read when one claims %s', (_, bytes) => {
    expect(check(bytes)).toBeTypeOf('string')
    expect(check(...[...bytes].map((byte) => Buffer.from([byte])))).toBeTypeOf('string')
  })

  it('are read one after another, wherever they are cut', () => {
    const good = Buffer.concat([
      message(41, 1, 0, 0, 0, 0, 1),
      Buffer.alloc(5),
      message(26, 2013),
      Buffer.alloc(10),
      message(17, 2013),
      Buffer.alloc(1),
    ])
    expect(check(good)).toBeUndefined()
    expect(check(...[...good].map((byte) => Buffer.from([byte])))).toBeUndefined()
    expect(check(Buffer.concat([good, message(100, 2012)]))).toBeTypeOf('string')
  })

  it('end the connection when one is hostile, and not the process', async () => {
    server = await startHostileServer('endless', message(2_000_000, 1, 0, 0, 0, 0, 2_000_000_000))
    const storage = BUCKETS['mongodb']!(server, access)
    await Promise.all([1, 2, 3, 4].map(async () => expect(await reasonFor(storage.check())).toMatch(REASON)))
    await storage.close()
  })
})

it('does not unpack a text without end', async () => {
  const bomb = await promisify(gzip)(Buffer.alloc(LIMITS.maxTextBytes + 1))
  const collection = { findOne: async () => ({ _id: 'x', text: new Binary(bomb), modifiedAt: new Date() }) }
  const database = { databaseName: 'market', collection: () => collection } as unknown as Db
  const connection = { connect: async () => {}, close: async () => {} }
  const storage = mongodbStorageOn(database, { prefix: 'data_', limits: access.limits }, connection)
  expect(await reasonFor(storage.get('x'))).toBe('it sent more than it should')
})
