import { Problem } from '@tradewright/core/problem'
import { trimSlashes } from '@tradewright/core/trim-slashes'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AnswerTooLarge } from '../../../adapters/http/address-guard.ts'
import type { StoreLimits } from '../store-access.ts'
import type { FileCopies } from '../disk/disk-allowance.ts'
import { type ExpectedFile, type LakeFolder, MissingFile, damagedFile } from '../parquet/lake-file.ts'
import { errorCode } from '../../../system-error.ts'
import { reasonOf } from '../driver-errors.ts'

interface StoredObject {
  readonly key: string
  readonly modifiedAt: number
}

/** The little that a store needs of a bucket: whole objects, written at once. Each vendor has one of these. */
export interface ObjectStorage {
  /** How the bucket is called in messages. */
  readonly name: string
  list(prefix: string): Promise<StoredObject[]>
  get(key: string, maxBytes?: number): Promise<Buffer | undefined>
  /** False when there is an object of that key already. */
  create(key: string, body: Buffer): Promise<boolean>
  /** False when there is no such object. Breaks off at an object that is larger than `maxBytes`. */
  download(key: string, localPath: string, maxBytes: number): Promise<boolean>
  upload(localPath: string, key: string): Promise<void>
  /** Objects that are not there are not missed. */
  remove(keys: readonly string[]): Promise<void>
  /** Throws unless the bucket is there and may be written to. */
  check(): Promise<void>
  close(): Promise<void>
}

interface ListedPage<Token> {
  readonly objects: readonly StoredObject[]
  readonly next: Token | undefined
}

/** Pages that may be empty before a listing is given up. */
const MAX_EMPTY_PAGES = 100

/** Every page of a listing, unless the bucket never ends. */
export async function listAll<Token>(
  { maxListed }: StoreLimits,
  pageAt: (token: Token | undefined) => Promise<ListedPage<Token>>,
): Promise<StoredObject[]> {
  const found: StoredObject[] = []
  let token: Token | undefined
  let emptyPages = 0
  do {
    const { objects, next } = await pageAt(token)
    if (objects.length === 0) emptyPages++
    for (const object of objects) found.push(object)
    if (found.length > maxListed || emptyPages > MAX_EMPTY_PAGES) throw new AnswerTooLarge(maxListed)
    token = next
  } while (token !== undefined)
  return found
}

interface ObjectFolderOptions {
  readonly storage: ObjectStorage
  /** The path within the bucket; `/` at its end is not needed. */
  readonly prefix: string
  readonly copies: FileCopies
}

/** A bucket as the folder of a Parquet store. A file from it is accepted when its SHA-256 is the one we wrote. */
export function objectFolder({ storage, prefix, copies }: ObjectFolderOptions): LakeFolder {
  const key = objectKeys(prefix)
  const asked = <T>(work: Promise<T>) => work.catch((error: unknown) => Promise.reject(asProblem(error, storage.name)))

  async function fetchCopy(file: ExpectedFile): Promise<string> {
    const scratch = await copies.files.scratch()
    try {
      if (!(await asked(storage.download(key(file.path), scratch.localName, file.bytes)))) {
        throw new MissingFile(file.path)
      }
      const { bytes, checksum } = await copies.files.marksOf(scratch.path)
      if (bytes !== file.bytes || checksum !== file.checksum) throw damagedFile(file.path)
      await copies.files.place(scratch, file.path)
      return await copies.files.folder.at(file.path)
    } finally {
      await copies.files.folder.remove(scratch.path)
    }
  }

  return {
    reading: (files, work) => copies.keeping(files, fetchCopy, work),
    distrust: (files) => files.forEach(({ path }) => copies.files.forget(path)),
    scratch: () => copies.files.scratch(),
    async publish(scratch, path) {
      const marks = await copies.files.marksOf(scratch.path)
      await asked(storage.upload(scratch.localName, key(path)))
      // A file that was just written is likely to be read next.
      await copies.add({ path, ...marks }, scratch)
      return marks
    },
    discard: ({ path }) => copies.files.folder.remove(path),
    async remove(paths) {
      if (paths.length > 0) await asked(storage.remove(paths.map(key)))
      for (const path of paths) await copies.remove(path)
    },
    sweepScratch: (olderThan) => copies.files.sweepScratch(olderThan),
  }
}

export function objectKeys(prefix: string): (path: string) => string {
  const base = trimSlashes(prefix)
  return (path) => (base === '' ? path : `${base}/${path}`)
}

const OUR_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export function asProblem(error: unknown, name: string): unknown {
  if (error instanceof Problem || error instanceof MissingFile || !(error instanceof Error)) return error
  // A disk of ours that is full is told by the store itself.
  if (OUR_DISK.has(errorCode(error) ?? '')) return error
  const sentence = `The data store ${name} cannot be used: ${reasonOf(error)}.`
  return new Problem('unavailable', 'store.away', sentence, { cause: error })
}

/** A key that may read a bucket often may not write to it: one small object tells. */
export async function checkByWriting(storage: Pick<ObjectStorage, 'create' | 'get' | 'remove'>): Promise<void> {
  const key = `tradewright-check-${randomUUID()}`
  await storage.create(key, Buffer.from('check'))
  const found = await storage.get(key)
  await storage.remove([key])
  if (found?.toString() !== 'check') throw new Error('what is written to it does not come back')
}

/** Passes on up to so many bytes and breaks at the next one. */
export function byteLimit(maxBytes: number): Transform {
  let received = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      received += chunk.length
      if (received > maxBytes) done(new AnswerTooLarge(maxBytes))
      else done(null, chunk)
    },
  })
}

export async function readWhole(body: Readable, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  await pipeline(
    body,
    byteLimit(maxBytes),
    async (limited: AsyncIterable<Buffer>) => {
      for await (const chunk of limited) chunks.push(chunk)
    },
    { signal },
  )
  return Buffer.concat(chunks)
}

/** Writes a file of exactly known size; one that is longer breaks off. */
export const saveLimited = (body: Readable, localPath: string, maxBytes: number, signal: AbortSignal): Promise<void> =>
  pipeline(body, byteLimit(maxBytes), createWriteStream(localPath), { signal })
