import { Binary, type Document } from 'mongodb'
import { afterEach, describe, expect, it } from 'vitest'
import { hello, type MongodbStandIn, startMongodb } from '../../../../test-support/stand-ins/mongodb.ts'
import { loopbackAccess } from '../../../../test-support/store-access.ts'
import { reasonOf } from '../driver-errors.ts'
import { mongodbStorage } from './mongodb.ts'
import type { ObjectStorage } from './object-storage.ts'

let server: MongodbStandIn
afterEach(() => server.close())

async function ask<T>(work: (storage: ObjectStorage) => Promise<T>, password?: string): Promise<T | string> {
  const signIn = { username: password === undefined ? undefined : 'user', password }
  const place = { host: '127.0.0.1', port: server.port, database: 'market', collectionPrefix: 'data_' }
  const storage = mongodbStorage({ ...place, ...signIn }, loopbackAccess({ connectMs: 1_000 }))
  try {
    return await work(storage)
  } catch (error) {
    return reasonOf(error)
  } finally {
    await storage.close()
  }
}

const isHello = (name: string) => /^(hello|ismaster)$/i.test(name)

describe('a MongoDB that asks for a key', () => {
  const challenge = (start: Document, iterations: string): Document => {
    const nonce = /r=(.*)$/.exec((start['payload'] as Binary).toString())![1]
    return {
      ok: 1,
      conversationId: 1,
      done: false,
      payload: new Binary(Buffer.from(`r=${nonce}x,s=c2FsdA==,i=${iterations}`)),
    }
  }
  const serverOf = (iterations: string, isEarly: boolean) =>
    startMongodb((name, command) => {
      if (name === 'saslStart') return challenge(command, iterations)
      const start = command['speculativeAuthenticate'] as Document | undefined
      if (isHello(name) && start && isEarly) return hello({ speculativeAuthenticate: challenge(start, iterations) })
      return undefined
    })

  it.each([
    ['100001', true],
    ['100001', false],
    [' 2000000000', true],
    ['4096,i=2000000000', false],
  ])('of %j iterations (with its hello: %s) is refused before the key is derived', async (iterations, isEarly) => {
    server = await serverOf(iterations, isEarly)
    expect(await ask((storage) => storage.check(), 'secret')).toBe('it does not answer as it should')
    expect(server.commands).not.toContain('saslContinue')
  })

  it.each([true, false])('of as many iterations as MongoDB has is answered (with its hello: %s)', async (isEarly) => {
    server = await serverOf('15000', isEarly)
    await ask((storage) => storage.check(), 'secret')
    expect(server.commands).toContain('saslContinue')
  })
})

describe('a MongoDB that is not trusted', () => {
  it.each([
    { hosts: 5 },
    { me: 5 },
    { passives: [5] },
    { tags: { a: {} }, setName: 5 },
    { topologyVersion: { processId: 5 } },
  ])('is refused when its hello says %j', async (fields) => {
    server = await startMongodb((name) => (isHello(name) ? hello(fields) : undefined))
    expect(await ask((storage) => storage.check())).toBe('it does not answer as it should')
  })

  it('is refused when its hello is long', async () => {
    const long = 'x'.repeat(70_000)
    server = await startMongodb((name) => (isHello(name) ? hello({ long }) : undefined))
    expect(await ask((storage) => storage.check())).toBe('it sent more than it should')
  })

  it('is refused when a short answer is long', async () => {
    server = await startMongodb((name) => {
      if (isHello(name)) return undefined
      return { ok: 1, long: 'x'.repeat(name === 'find' ? 2 ** 20 : 2 ** 16) }
    })
    expect(await ask((storage) => storage.check())).toBe('it sent more than it should')
    expect(await ask((storage) => storage.list('log/'))).toBe('it sent more than it should')
  })

  it('is refused when a piece of data has a million fields, before they are read', async () => {
    const fields = Array.from({ length: 1_000_000 }, () => null)
    server = await startMongodb((name) =>
      name === 'find' ? { ok: 1, cursor: { id: 0n, ns: 'd.c', firstBatch: [{ _id: 'x', fields }] } } : undefined,
    )
    const place = { host: '127.0.0.1', port: server.port, database: 'market', collectionPrefix: 'data_' }
    const storage = mongodbStorage({ ...place, username: undefined, password: undefined }, loopbackAccess())
    const error = await storage.get('log/1.json').then(
      () => undefined,
      (reason: Error) => reason,
    )
    expect([error?.message, (error?.cause as Error | undefined)?.message]).toContain('a document of too many elements')
    await storage.close()
  })

  it('may send a text that is long', async () => {
    const text = new Binary(Buffer.alloc(2 ** 21))
    server = await startMongodb((name) =>
      name === 'find' ? { ok: 1, cursor: { id: 0n, ns: 'd.c', firstBatch: [{ _id: 'x', text }] } } : undefined,
    )
    // It is no gzip.
    expect(await ask((storage) => storage.get('log/1.json'))).toBe('it does not answer as it should')
    expect(server.commands).toContain('find')
  })

  it('may list and answer as it should', async () => {
    server = await startMongodb(() => undefined)
    expect(await ask((storage) => storage.list('log/'))).toEqual([])
  })
})
