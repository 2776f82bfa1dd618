export interface StoredObject {
  readonly key: string
  readonly modifiedAt: number
}

/** The little that a store needs of a bucket: whole objects, written at once. Each vendor has one of these. */
export interface ObjectStorage {
  /** How the bucket is called in messages. */
  readonly name: string
  list(prefix: string): Promise<StoredObject[]>
  get(key: string): Promise<Buffer | undefined>
  /** False when there is an object of that key already. */
  create(key: string, body: Buffer): Promise<boolean>
  /** False when there is no such object. */
  download(key: string, localPath: string): Promise<boolean>
  upload(localPath: string, key: string): Promise<void>
  /** Objects that are not there are not missed. */
  remove(keys: readonly string[]): Promise<void>
  /** Throws unless the bucket is there and may be written to. */
  check(): Promise<void>
  close(): Promise<void>
}
