import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { lockNameOf, openCatalogue, type StorePlace } from './catalogue/open-catalogue.ts'
import type { ContainedFolder } from './contained-folder.ts'
import type { Database } from '../database.ts'
import { localFolder } from './parquet/local-folder.ts'
import { VerifiedFiles } from './parquet/verified-files.ts'
import { ParquetSeriesStore, type ParquetStoreParts } from './parquet/parquet-series-store.ts'

export interface LocalStoreParts extends Omit<ParquetStoreParts, 'folder' | 'catalogue' | 'lockName'> {
  readonly database: Database
  readonly place: Pick<StorePlace, 'storeId' | 'location'>
}

/** The store in a folder of this machine: the default. */
export async function localSeriesStore(
  folder: ContainedFolder,
  { database, ...parts }: LocalStoreParts,
): Promise<SeriesStore> {
  const place = { ...parts.place, isLocal: true }
  const files = new VerifiedFiles(folder, 'crc32')
  const catalogue = await openCatalogue({ database, lock: parts.lock }, place, {
    holds: async (file) => typeof (await files.find(file)) === 'object',
  })
  return new ParquetSeriesStore({ ...parts, folder: localFolder(folder), catalogue, lockName: lockNameOf(place) })
}
