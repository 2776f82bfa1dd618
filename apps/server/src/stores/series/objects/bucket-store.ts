import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { lockNameOf, openCatalogue, type StorePlace } from '../catalogue/open-catalogue.ts'
import type { Database } from '../../database.ts'
import type { FileCopies } from '../disk/file-copies.ts'
import type { ExpectedFile } from '../parquet/lake-folder.ts'
import { ParquetSeriesStore, type ParquetStoreParts } from '../parquet/parquet-series-store.ts'
import { asProblem, objectFolder, objectKeys } from './object-folder.ts'
import type { ObjectStorage } from './object-storage.ts'

export interface BucketStoreParts extends Omit<ParquetStoreParts, 'folder' | 'catalogue' | 'lockName' | 'onClose'> {
  readonly database: Database
  readonly place: Pick<StorePlace, 'storeId' | 'location'>
  readonly storage: ObjectStorage
  /** The path within the bucket; `/` at its end is not needed. */
  readonly prefix: string
  readonly copies: FileCopies
}

/** The store in a bucket, whose files are copied to this machine to be read. */
export async function bucketSeriesStore(parts: BucketStoreParts): Promise<SeriesStore> {
  const { database, lock, storage } = parts
  const place = { ...parts.place, isLocal: false }
  const catalogue = await openCatalogue({ database, lock }, place, { holds: (file) => holds(parts, file) })
  return new ParquetSeriesStore({
    ...parts,
    folder: objectFolder(parts),
    catalogue,
    lockName: lockNameOf(place),
    onClose: () => storage.close(),
  })
}

/** Whether the bucket has this file, byte for byte and whatever copies of it there are. */
async function holds({ storage, prefix, copies }: BucketStoreParts, file: ExpectedFile): Promise<boolean> {
  const { folder } = copies.files
  const scratch = await copies.files.scratch()
  try {
    const download = storage.download(objectKeys(prefix)(file.path), scratch.localName, file.bytes)
    const isThere = await download.catch((error: unknown) => Promise.reject(asProblem(error, storage.name)))
    if (!isThere || (await folder.state(scratch.path))?.bytes !== file.bytes) return false
    return `sha256:${await folder.checksum(scratch.path, 'sha256')}` === file.checksum
  } finally {
    await folder.remove(scratch.path)
  }
}
