import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { lockNameOf, openCatalogue, type OldLog, type StorePlace } from '../catalogue/open-catalogue.ts'
import type { Database } from '../../database.ts'
import type { FileCopies } from '../disk/file-copies.ts'
import type { ExpectedFile, FileMarks } from '../parquet/lake-folder.ts'
import { ParquetSeriesStore, type ParquetStoreParts } from '../parquet/parquet-series-store.ts'
import { asProblem, objectFolder, objectKeys } from './object-folder.ts'
import type { ObjectStorage } from './object-storage.ts'

export interface BucketStoreParts extends Omit<ParquetStoreParts, 'folder' | 'catalogue' | 'lockName' | 'onClose'> {
  readonly database: Database
  readonly place: Pick<StorePlace, 'storeId' | 'location'>
  readonly mayHaveLog?: boolean
  readonly storage: ObjectStorage
  /** The path within the bucket; `/` at its end is not needed. */
  readonly prefix: string
  readonly copies: FileCopies
}

/** The store in a bucket, whose files are copied to this machine to be read. */
export async function bucketSeriesStore(parts: BucketStoreParts): Promise<SeriesStore> {
  const { database, lock, storage } = parts
  const place = { ...parts.place, isLocal: false }
  const bucket = new BucketFiles(parts)
  const catalogue = await openCatalogue({ database, lock }, place, {
    holds: async (file) => (await bucket.marksOf(file, 'sha256'))?.checksum === file.checksum,
    ...(parts.mayHaveLog ? { oldLog: bucket.oldLog() } : {}),
  })
  return new ParquetSeriesStore({
    ...parts,
    folder: objectFolder(parts),
    catalogue,
    lockName: lockNameOf(place),
    onClose: () => storage.close(),
  })
}

/** The files in the bucket, whatever copies of them there are. */
class BucketFiles {
  readonly #parts: Pick<BucketStoreParts, 'storage' | 'copies'>
  readonly #key: (path: string) => string

  constructor(parts: Pick<BucketStoreParts, 'storage' | 'prefix' | 'copies'>) {
    this.#parts = parts
    this.#key = objectKeys(parts.prefix)
  }

  /** Undefined for what is not there, or is not as large as it should be. */
  async marksOf(file: ExpectedFile, algorithm: 'crc32' | 'sha256'): Promise<FileMarks | undefined> {
    const { storage, copies } = this.#parts
    const scratch = await copies.files.scratch()
    try {
      if (!(await this.#asked(storage.download(this.#key(file.path), scratch.localName, file.bytes)))) return undefined
      const state = await copies.files.folder.state(scratch.path)
      if (state?.bytes !== file.bytes) return undefined
      const checksum = `${algorithm}:${await copies.files.folder.checksum(scratch.path, algorithm)}`
      return { bytes: file.bytes, checksum }
    } finally {
      await copies.files.folder.remove(scratch.path)
    }
  }

  oldLog(): OldLog {
    const { storage } = this.#parts
    const own = this.#key('')
    return {
      list: async () =>
        (await this.#asked(storage.list(this.#key('log/')))).map((object) => object.key.slice(own.length)),
      read: async (path, maxBytes) => {
        const body = await this.#asked(storage.get(this.#key(path), maxBytes))
        if (body && body.length > maxBytes) throw new RangeError(`${path} is longer than ${maxBytes} bytes`)
        return body?.toString('utf8')
      },
      // A CRC is easily made to fit: from now on the file is known by its SHA-256. A damaged one keeps its old mark,
      // which no copy has.
      marksOf: async (file) => {
        const old = await this.marksOf(file, 'crc32')
        const now = old?.checksum === file.checksum ? await this.marksOf(file, 'sha256') : undefined
        return now ?? { bytes: file.bytes, checksum: file.checksum }
      },
    }
  }

  #asked<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => Promise.reject(asProblem(error, this.#parts.storage.name)))
  }
}
