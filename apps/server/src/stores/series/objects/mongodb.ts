import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Binary, type Collection, type Db, GridFSBucket, MongoClient } from 'mongodb'
import { checkByWriting } from './check-by-writing.ts'
import type { ObjectStorage } from './object-storage.ts'

export interface MongodbSettings {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string | undefined
  readonly password: string | undefined
  readonly collectionPrefix: string
}

const CONNECT_MS = 5_000

export function mongodbStorage(settings: MongodbSettings): ObjectStorage {
  const { host, port, database, username, password, collectionPrefix } = settings
  const client = new MongoClient(`mongodb://${host}:${port}`, {
    serverSelectionTimeoutMS: CONNECT_MS,
    ...(username === undefined ? {} : { auth: { username, password: password ?? '' } }),
  })
  const storage = mongodbStorageOn(client.db(database), collectionPrefix, () => client.close())
  return { ...storage, name: `mongodb://${host}:${port}/${database}` }
}

interface TextDocument {
  _id: string
  text: Binary
  modifiedAt: Date
}

/**
 * Files lie in GridFS, and the log in a collection whose ids make "only if it is new" a matter of course. Records as
 * documents would need transactions to be written all or not at all, and a single MongoDB has none.
 */
export function mongodbStorageOn(database: Db, prefix: string, close: () => Promise<void>): ObjectStorage {
  const texts: Collection<TextDocument> = database.collection(`${prefix}log`)
  const files = new GridFSBucket(database, { bucketName: `${prefix}files` })
  const storage: ObjectStorage = {
    name: `mongodb://${database.databaseName}`,
    async list(start) {
      const beginning = new RegExp(`^${RegExp.escape(start)}`)
      const [listedTexts, listedFiles] = await Promise.all([
        texts.find({ _id: beginning }, { projection: { modifiedAt: 1 } }).toArray(),
        files.find({ filename: beginning }).toArray(),
      ])
      return [
        ...listedTexts.map(({ _id, modifiedAt }) => ({ key: _id, modifiedAt: modifiedAt.getTime() })),
        ...listedFiles.map(({ filename, uploadDate }) => ({ key: filename, modifiedAt: uploadDate.getTime() })),
      ]
    },
    async get(key) {
      const found = await texts.findOne({ _id: key })
      return found ? promisify(gunzip)(found.text.buffer) : undefined
    },
    async create(key, body) {
      try {
        // A document ends at 16 MB; packed, a change of a hundred thousand series is far from it.
        await texts.insertOne({ _id: key, text: new Binary(await promisify(gzip)(body)), modifiedAt: new Date() })
        return true
      } catch (error) {
        if ((error as { code?: unknown }).code === DUPLICATE_KEY) return false
        throw error
      }
    },
    async download(key, localPath) {
      for (const { _id } of await files.find({ filename: key }).toArray()) {
        await pipeline(files.openDownloadStream(_id), createWriteStream(localPath))
        return true
      }
      return false
    },
    // GridFS shows a file only when its last piece is there.
    upload: (localPath, key) => pipeline(createReadStream(localPath), files.openUploadStream(key)),
    async remove(keys) {
      await texts.deleteMany({ _id: { $in: [...keys] } })
      for (const { _id } of await files.find({ filename: { $in: [...keys] } }).toArray()) await files.delete(_id)
    },
    async check() {
      await database.command({ ping: 1 })
      await checkByWriting(storage)
    },
    close,
  }
  return storage
}

const DUPLICATE_KEY = 11_000
