import { AnswerTooLarge } from '../../../adapters/http/guarded-socket.ts'
import type { StoreLimits } from '../store-access.ts'

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
