import type { Db } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { loopbackAccess } from '../../../../test-support/store-access.ts'
import { storeLimits } from '../store-access.ts'
import { mongodbStorage, mongodbStorageOn } from './mongodb.ts'

interface Document {
  _id: string
}

/** The collection of texts, in memory. Files go through the driver's own GridFS, which needs a server. */
function databaseInMemory(): Db {
  const documents = new Map<string, Document>()
  const collection = {
    async insertOne({ _id, ...rest }: Document) {
      if (documents.has(_id)) throw Object.assign(new Error('duplicate'), { code: 11_000 })
      documents.set(_id, { _id, ...rest })
    },
    findOne: async ({ _id }: Document) => documents.get(_id) ?? null,
  }
  return { databaseName: 'market', collection: () => collection } as unknown as Db
}

const IN_MEMORY = { connect: async () => {}, close: async () => {} }

describe('mongodb storage', () => {
  it('makes a text once', async () => {
    const storage = mongodbStorageOn(databaseInMemory(), { prefix: 'data_', limits: storeLimits }, IN_MEMORY)
    expect(await storage.create('log/1.json', Buffer.from('{"first":true}'))).toBe(true)
    expect(await storage.create('log/1.json', Buffer.from('{}'))).toBe(false)
    expect((await storage.get('log/1.json'))?.toString()).toBe('{"first":true}')
    expect(await storage.get('log/2.json')).toBeUndefined()
  })

  it('gives up on a server that is not there', async () => {
    const storage = mongodbStorage(
      {
        host: '127.0.0.1',
        port: 1,
        database: 'market',
        username: undefined,
        password: undefined,
        collectionPrefix: 'data_',
      },
      loopbackAccess({ connectMs: 500 }),
    )
    await expect(storage.check()).rejects.toThrow(/ECONNREFUSED/)
    // It tries anew: the server may have come back.
    await expect(storage.check()).rejects.toThrow(/ECONNREFUSED/)
    await storage.close()
  })
})
