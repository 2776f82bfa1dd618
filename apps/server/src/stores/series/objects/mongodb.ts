import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Binary, type Collection, type Db, GridFSBucket, MongoClient, type Document, ObjectId } from 'mongodb'
import { createRequire } from 'node:module'
import type { Transform, TransformCallback } from 'node:stream'
import { z } from 'zod'
import { AnswerTooLarge } from '../../../adapters/http/address-guard.ts'
import { untilAborted } from '../../../until-aborted.ts'
import { operationSignal, type StoreAccess, type StoreLimits, transferSignal } from '../store-access.ts'
import { checkByWriting, type ObjectStorage, saveLimited } from './object-storage.ts'
import { malformedAnswer } from '../driver-errors.ts'

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

/** As PostgreSQL's driver has it. MongoDB itself asks for 15,000. */
const MAX_SCRAM_ITERATIONS = 100_000
const KILOBYTE = 1024
const MAX_ANSWER_BYTES = 64 * KILOBYTE
const MAX_LIST_BYTES = 1024 * KILOBYTE
/** Documents end at 16 MB, and so do the pieces of a file that are sent together. */
const MAX_DATA_BYTES = 17 * 1024 * KILOBYTE

const isHello = (command: Document): boolean =>
  ['hello', 'ismaster', 'isMaster'].some((name) => command[name] !== undefined)

/** Bytes of the answer to a command. Only lists are longer than a few lines, and only data is large. */
function maxAnswerBytes(command: Document | undefined): number {
  const collection: unknown = command?.['find'] ?? command?.['collection']
  if (command === undefined || typeof collection !== 'string') return MAX_ANSWER_BYTES
  const isData = collection.endsWith('.chunks') || (collection.endsWith('log') && command['singleBatch'] === true)
  return isData ? MAX_DATA_BYTES : MAX_LIST_BYTES
}

const Hosts = z.array(z.string()).nullish()
const TopologyVersion = z
  .object({
    processId: z.instanceof(ObjectId),
    counter: z.union([z.number(), z.bigint(), z.looseObject({ _bsontype: z.literal('Long') })]),
  })
  .nullish()

/** The fields that the driver uses without looking at their types, some of them where no caller sees its errors. */
const Hello = z.object({
  hosts: Hosts,
  passives: Hosts,
  arbiters: Hosts,
  me: z.string().nullish(),
  primary: z.string().nullish(),
  setName: z.string().nullish(),
  msg: z.string().nullish(),
  setVersion: z.number().nullish(),
  electionId: z.instanceof(ObjectId).nullish(),
  tags: z.record(z.string(), z.string()).nullish(),
  minWireVersion: z.number().nullish(),
  maxWireVersion: z.number().nullish(),
  logicalSessionTimeoutMinutes: z.number().nullish(),
  maxBsonObjectSize: z.number().nullish(),
  maxMessageSizeBytes: z.number().nullish(),
  maxWriteBatchSize: z.number().nullish(),
  saslSupportedMechs: z.array(z.string()).nullish(),
  compression: z.array(z.string()).nullish(),
  lastWrite: z.looseObject({ lastWriteDate: z.date().nullish() }).nullish(),
  topologyVersion: TopologyVersion,
  speculativeAuthenticate: z.looseObject({}).nullish(),
})

/** Throws before the driver acts on an answer that would harm this process. */
function assertHarmless(command: Document, answer: Document): void {
  if (isHello(command) && !Hello.safeParse(answer).success) throw malformedAnswer('a hello of the wrong types')
  for (const challenge of [answer, answer['speculativeAuthenticate'] as Document | null | undefined]) {
    const payload: unknown = challenge?.['payload']
    if (payload !== undefined) assertShortDerivation(payload)
  }
}

/** The same for an error, which carries the fields of the answer. */
function harmlessError(error: unknown): unknown {
  const { topologyVersion } = error as { topologyVersion?: unknown }
  return TopologyVersion.safeParse(topologyVersion).success ? error : malformedAnswer('an error of the wrong types')
}

/** A key that is being derived cannot be stopped and takes one of the few threads of this process. */
function assertShortDerivation(payload: unknown): void {
  if (!(payload instanceof Binary)) throw malformedAnswer('a challenge of the wrong type')
  for (const part of Buffer.from(payload.value()).toString('utf8').split(',')) {
    const isAllowed = !part.startsWith('i=') || Number.parseInt(part.slice(2), 10) <= MAX_SCRAM_ITERATIONS
    if (!isAllowed) throw malformedAnswer(`more than ${MAX_SCRAM_ITERATIONS} iterations of a key derivation`)
  }
}

/** Elements of one answer: one that lists 7,000 files has 60,000, and the driver makes an object of each. */
const MAX_ELEMENTS = 100_000
const MAX_DEPTH = 20
const DOCUMENT = 3
const ARRAY = 4
const STRING = 2
const BINARY = 5
/** Types of a fixed size: double, undefined, ObjectId, boolean, date, null, int32, timestamp, int64, decimal128, keys. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
}

/**
 * The fault of a BSON document (bsonspec.org) for which the driver should not read it; undefined when there is none.
 * Jumps over texts and binary data, so that a large answer of few elements is looked at in no time. Patterns and code
 * are refused: they are in nothing that we ask for.
 */
export function bsonFault(bytes: Buffer): string | undefined {
  /** Where the documents end that the position is in, the innermost last. */
  const ends: number[] = []
  let at = 0
  let elements = 0
  const enter = (): boolean => {
    const size = at + 4 <= bytes.length ? bytes.readInt32LE(at) : 0
    const end = at + size
    if (size < 5 || end > (ends.at(-1) ?? bytes.length) || bytes[end - 1] !== 0) return false
    ends.push(end)
    at += 4
    return true
  }
  if (!enter() || ends[0] !== bytes.length) return 'a document of an impossible size'
  while (ends.length > 0) {
    const last = ends.at(-1)! - 1
    if (at === last) {
      at++
      ends.pop()
      continue
    }
    if (++elements > MAX_ELEMENTS) return 'a document of too many elements'
    const type = bytes[at]!
    const nameEnd = bytes.indexOf(0, at + 1)
    if (nameEnd < 0 || nameEnd >= last) return 'a document whose element has no end'
    at = nameEnd + 1
    if (type === DOCUMENT || type === ARRAY) {
      if (ends.length >= MAX_DEPTH) return 'a document nested too deeply'
      if (!enter()) return 'a document of an impossible size'
      continue
    }
    const size = valueBytes(bytes, type, at)
    if (size === undefined || at + size > last) return 'an element of an unknown type or an impossible size'
    at += size
  }
  return undefined
}

function valueBytes(bytes: Buffer, type: number, at: number): number | undefined {
  if (type !== STRING && type !== BINARY) return FIXED_BYTES[type]
  if (at + 4 > bytes.length) return undefined
  const size = bytes.readInt32LE(at)
  if (size < (type === STRING ? 1 : 0)) return undefined
  return 4 + size + (type === BINARY ? 1 : 0)
}

const HEADER_BYTES = 16
/** Up to and including `numberReturned`. */
const REPLY_HEADER_BYTES = 36
const OP_REPLY = 1
const OP_MSG = 2013

/**
 * Reads the heads of a server's messages as they pass. The driver buffers a message of any size, unpacks any compressed
 * one, and makes as many parts of an OP_REPLY as its head says, two thousand million if it likes: a reply of 41 bytes
 * from a hostile server filled the heap and ended the process.
 */
export class FrameCheck {
  readonly #head = Buffer.alloc(REPLY_HEADER_BYTES)
  #headBytes = 0
  #bodyBytes = 0

  /** The fault of a message that begins or goes on in these bytes; undefined when there is none. */
  add(chunk: Uint8Array, maxBytes: number): string | undefined {
    let at = 0
    while (at < chunk.length) {
      if (this.#bodyBytes > 0) {
        const passed = Math.min(this.#bodyBytes, chunk.length - at)
        this.#bodyBytes -= passed
        at += passed
        continue
      }
      this.#head[this.#headBytes++] = chunk[at++]!
      if (this.#headBytes < HEADER_BYTES) continue
      const problem = this.#checkHead(maxBytes)
      if (problem) return problem
    }
    return undefined
  }

  #checkHead(maxBytes: number): string | undefined {
    const size = this.#head.readInt32LE(0)
    const operation = this.#head.readInt32LE(12)
    if (size <= HEADER_BYTES || size > maxBytes) return 'a message of an impossible size'
    if (operation === OP_REPLY) {
      if (size <= REPLY_HEADER_BYTES) return 'a reply without a document'
      if (this.#headBytes < REPLY_HEADER_BYTES) return undefined
      if (this.#head.readInt32LE(32) !== 1) return 'a reply with more than one document'
    } else if (operation !== OP_MSG) return 'a message of an unknown kind'
    this.#bodyBytes = size - this.#headBytes
    this.#headBytes = 0
    return undefined
  }
}

/** The driver's stream of messages. */
interface MessageStream extends Transform {
  readonly connection: object
}
type Transforming = (this: MessageStream, chunk: Uint8Array, encoding: BufferEncoding, done: TransformCallback) => void
type Sending = (this: object, namespace: unknown, command: Document, ...rest: unknown[]) => AsyncIterable<Document>

interface DriverClasses {
  readonly SizedMessageTransform: { prototype: { _transform: Transforming } }
  readonly Connection: { prototype: { sendCommand: Sending } }
}

/** An answer of the driver: its message without the head. */
interface Answer {
  readonly data: Buffer
}
interface AnswerClass {
  prototype: { parse: (this: Answer) => Uint8Array }
}

/** What each connection was asked last, until its answer is there. */
const asked = new WeakMap<object, Document>()
let isInstalled = false

/** Puts the checks before the driver's own reader and behind its parser, which no option of it replaces. */
function checkAnswersOfDriver(): void {
  if (isInstalled) return
  isInstalled = true
  const driver = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as DriverClasses
  checkFrames(driver.SizedMessageTransform.prototype)
  checkDocuments(driver.Connection.prototype)
  const answers = createRequire(import.meta.url)('mongodb/lib/cmap/commands.js') as {
    OpReply: AnswerClass
    OpMsgResponse: AnswerClass
  }
  checkBytes(answers.OpReply, ({ data }) => data.subarray(REPLY_HEADER_BYTES - HEADER_BYTES))
  checkBytes(answers.OpMsgResponse, ({ data }) => (data[4] === 0 ? data.subarray(5) : Buffer.alloc(0)))
}

/** The driver would make an object of each of the millions of elements that 17 MB can hold, on the thread that answers everyone. */
function checkBytes({ prototype }: AnswerClass, documentOf: (answer: Answer) => Buffer): void {
  const { parse } = prototype
  prototype.parse = function checked() {
    const fault = bsonFault(documentOf(this))
    if (fault) throw malformedAnswer(fault)
    return parse.call(this)
  }
}

function checkFrames(prototype: DriverClasses['SizedMessageTransform']['prototype']): void {
  const { _transform: read } = prototype
  const checks = new WeakMap<Transform, FrameCheck>()
  const checked: Transforming = function checked(chunk, encoding, done) {
    const check = checks.get(this) ?? new FrameCheck()
    checks.set(this, check)
    const problem = check.add(chunk, maxAnswerBytes(asked.get(this.connection)))
    if (problem) done(Object.assign(new Error(problem), { code: 'EANSWERTOOLARGE' }))
    else read.call(this, chunk, encoding, done)
  }
  Object.assign(prototype, { _transform: checked })
}

function checkDocuments(prototype: DriverClasses['Connection']['prototype']): void {
  const { sendCommand: send } = prototype
  prototype.sendCommand = async function* checked(namespace, command, ...rest) {
    asked.set(this, command)
    try {
      for await (const answer of send.call(this, namespace, command, ...rest)) {
        assertHarmless(command, answer)
        yield answer
      }
    } catch (error) {
      throw harmlessError(error)
    } finally {
      asked.delete(this)
    }
  }
}
