import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { lockNameOf, openCatalogue, type StorePlace } from './catalogue/open-catalogue.ts'
import type { ContainedFolder } from './contained-folder.ts'
import type { Database } from '../database.ts'
import { VerifiedFiles, type ExpectedFile, type LakeFolder, MissingFile, damagedFile } from './parquet/lake-file.ts'
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

/** A folder of this machine. Only this program writes there, so its checksums detect damage, not intent. */
function localFolder(folder: ContainedFolder): LakeFolder {
  const files = new VerifiedFiles(folder, 'crc32')

  async function localName(file: ExpectedFile): Promise<string> {
    const found = await files.find(file)
    if (found === 'missing') throw new MissingFile(file.path)
    if (found === 'damaged') throw damagedFile(file.path)
    return found.localName
  }

  return {
    reading: async (expected, work) => work(await Promise.all(expected.map(localName))),
    distrust: (expected) => expected.forEach(({ path }) => files.forget(path)),
    scratch: () => files.scratch(),
    async publish(scratch, path) {
      await folder.syncFile(scratch.path)
      const marks = await files.marksOf(scratch.path)
      await files.place(scratch, path)
      await folder.syncFolderOf(path)
      return marks
    },
    discard: ({ path }) => folder.remove(path),
    async remove(paths) {
      for (const path of paths) await files.remove(path)
    },
    sweepScratch: (olderThan) => files.sweepScratch(olderThan),
  }
}
