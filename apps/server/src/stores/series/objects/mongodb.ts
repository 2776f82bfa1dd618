import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Binary, type Collection, type Db, GridFSBucket, MongoClient } from 'mongodb'
import { AnswerTooLarge } from '../../../adapters/http/guarded-socket.ts'
import { untilAborted } from '../../../until-aborted.ts'
import { operationSignal, type StoreAccess, type StoreLimits, transferSignal } from '../store-access.ts'
import { checkByWriting } from './check-by-writing.ts'
import { saveLimited } from './limited-stream.ts'
import { checkAnswersOfDriver } from './mongodb-frames.ts'
import type { ObjectStorage } from './object-storage.ts'

export interface MongodbSettings {
  /** A plain host name or address, never a part of a connection string. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string | undefined
  readonly password: string | undefined
  readonly collectionPrefix: string
}

export function mongodbStorage(settings: MongodbSettings, { guard, limits }: StoreAccess): ObjectStorage {
  const { host, port, database, username, password, collectionPrefix } = settings
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  guard.assertAllowed(host)
  checkAnswersOfDriver()
  const client = new MongoClient(`mongodb://${authority}`, {
    // The server announces the other hosts of its replica set, which are not called.
    directConnection: true,
    lookup: guard.lookup,
    connectTimeoutMS: limits.connectMs,
    serverSelectionTimeoutMS: limits.connectMs,
    // Ends a connection that says nothing; one that drips is ended by the operation's own limit.
    socketTimeoutMS: limits.operationMs,
    ...(username === undefined ? {} : { auth: { username, password: password ?? '' } }),
  })
  const storage = mongodbStorageOn(
    client.db(database),
    { prefix: collectionPrefix, limits },
    // A client whose first connection failed stays closed until it is told to connect anew.
    { connect: () => client.connect(), close: () => client.close() },
  )
  return { ...storage, name: `mongodb://${authority}/${database}` }
}

interface MongodbConnection {
  /** Does nothing where it is connected. */
  readonly connect: () => Promise<unknown>
  readonly close: () => Promise<void>
}

interface TextDocument {
  _id: string
  text: Binary
  modifiedAt: Date
}

/**
 * Files lie in GridFS, and the log in a collection whose unique ids refuse an entry that exists already. Records as
 * documents would need transactions to be written all or not at all, and a single MongoDB has none.
 */
export function mongodbStorageOn(
  database: Db,
  { prefix, limits }: { readonly prefix: string; readonly limits: StoreLimits },
  { connect, close }: MongodbConnection,
): ObjectStorage {
  const texts: Collection<TextDocument> = database.collection(`${prefix}log`)
  const files = new GridFSBucket(database, { bucketName: `${prefix}files` })
  const bounded = <T>(work: () => Promise<T>): Promise<T> => untilAborted(connect().then(work), operationSignal(limits))
  const storage: ObjectStorage = {
    name: `mongodb://${database.databaseName}`,
    async list(start) {
      const beginning = new RegExp(`^${RegExp.escape(start)}`)
      const [limit, batchSize] = [limits.maxListed + 1, LIST_BATCH]
      const [listedTexts, listedFiles] = await bounded(() =>
        Promise.all([
          texts.find({ _id: beginning }, { projection: { modifiedAt: 1 }, limit, batchSize }).toArray(),
          files.find({ filename: beginning }, { limit, batchSize }).toArray(),
        ]),
      )
      if (listedTexts.length + listedFiles.length > limits.maxListed) throw new AnswerTooLarge(limits.maxListed)
      return [
        ...listedTexts.map(({ _id, modifiedAt }) => ({ key: _id, modifiedAt: modifiedAt.getTime() })),
        ...listedFiles.map(({ filename, uploadDate }) => ({ key: filename, modifiedAt: uploadDate.getTime() })),
      ]
    },
    async get(key) {
      const found = await bounded(() => texts.findOne({ _id: key }))
      return found ? promisify(gunzip)(found.text.buffer, { maxOutputLength: limits.maxTextBytes }) : undefined
    },
    async create(key, body) {
      try {
        // A document ends at 16 MB; packed, a change of a hundred thousand series is far from it.
        const text = new Binary(await promisify(gzip)(body))
        await bounded(() => texts.insertOne({ _id: key, text, modifiedAt: new Date() }))
        return true
      } catch (error) {
        if ((error as { code?: unknown }).code === DUPLICATE_KEY) return false
        throw error
      }
    },
    async download(key, localPath, maxBytes) {
      const bytes = Math.min(maxBytes, limits.maxFileBytes)
      for (const { _id } of await bounded(() => files.find({ filename: key }, { limit: 1 }).toArray())) {
        await saveLimited(files.openDownloadStream(_id), localPath, bytes, transferSignal(limits, bytes))
        return true
      }
      return false
    },
    // GridFS shows a file only when its last piece is there.
    async upload(localPath, key) {
      const { size } = await stat(localPath)
      const signal = transferSignal(limits, size)
      await pipeline(createReadStream(localPath), files.openUploadStream(key), { signal })
    },
    async remove(keys) {
      await bounded(() => texts.deleteMany({ _id: { $in: [...keys] } }))
      const found = await bounded(() =>
        files.find({ filename: { $in: [...keys] } }, { limit: limits.maxListed, batchSize: LIST_BATCH }).toArray(),
      )
      for (const { _id } of found) await bounded(() => files.delete(_id))
    },
    async check() {
      await bounded(() => database.command({ ping: 1 }))
      await checkByWriting(storage)
    },
    close,
  }
  return storage
}

const DUPLICATE_KEY = 11_000
/** Documents of some 300 bytes each, well below what an answer may have. */
const LIST_BATCH = 1_000
