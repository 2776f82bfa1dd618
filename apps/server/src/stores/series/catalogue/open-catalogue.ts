import { sql } from 'kysely'
import type { Database } from '../../database.ts'
import type { ExpectedFile, FileMarks } from '../parquet/lake-folder.ts'
import type { LakeFile } from '../parquet/lake-file.ts'
import type { WriterLock } from '../writer-lock.ts'
import { type OldLogSource, type OldLogState, readOldLog } from './old-log.ts'
import { EMPTY } from './snapshot.ts'
import { StoreCatalogue } from './store-catalogue.ts'

/** Where a store's files lie, in words that stay the same when the server's folders are moved. */
export interface StorePlace {
  readonly storeId: number
  readonly location: string
  readonly isLocal: boolean
}

export interface OldLog extends OldLogSource {
  /** The marks that a file is to have from now on; the old ones where it is damaged or lost, which its reader is told. */
  marksOf(file: LakeFile): Promise<FileMarks>
}

/** The files at the place itself. */
interface PlaceContent {
  /** Whether the file is there, byte for byte. */
  holds(file: ExpectedFile): Promise<boolean>
  readonly oldLog?: OldLog
}

export const lockNameOf = ({ storeId }: Pick<StorePlace, 'storeId'>): string => `data-store-${storeId}`

/**
 * The catalogue of a store, made when it is first asked for: from its old log, where it may have one. Files that were
 * moved keep the catalogue that they had at their last place.
 */
export async function openCatalogue(
  { database, lock }: { readonly database: Database; readonly lock: WriterLock },
  place: StorePlace,
  content: PlaceContent,
): Promise<StoreCatalogue> {
  const known = await findCatalogue(database, place)
  if (known !== undefined) return new StoreCatalogue(database, known)
  return lock.exclusive(lockNameOf(place), async () => {
    const id =
      (await findCatalogue(database, place)) ??
      (await moveCatalogue(database, place, content)) ??
      (await insertCatalogue(database, place, await takenOver(content)))
    return new StoreCatalogue(database, id)
  })
}

const NOTHING: OldLogState = { version: 0, files: [], retired: [] }

async function findCatalogue(database: Database, { storeId, location }: StorePlace): Promise<number | undefined> {
  const row = await database
    .selectFrom('store_catalogues')
    .select('id')
    .where('store_id', '=', storeId)
    .where('location', '=', location)
    .executeTakeFirst()
  return row?.id
}

/** A bucket that has another address now, or a folder with another name: its newest file tells. */
async function moveCatalogue(
  database: Database,
  { storeId, location, isLocal }: StorePlace,
  content: PlaceContent,
): Promise<number | undefined> {
  const newest = await database
    .selectFrom('store_files')
    .innerJoin('store_catalogues', 'store_catalogues.id', 'catalogue_id')
    .distinctOn('catalogue_id')
    .select(['catalogue_id', 'path', 'bytes', 'checksum'])
    .where('store_id', '=', storeId)
    .where('is_local', '=', isLocal)
    .where('retired_version', 'is', null)
    .orderBy('catalogue_id', 'desc')
    .orderBy('added_at', 'desc')
    .execute()
  for (const file of newest) {
    if (!(await content.holds(file))) continue
    await database.updateTable('store_catalogues').set({ location }).where('id', '=', file.catalogue_id).execute()
    return file.catalogue_id
  }
  return undefined
}

async function takenOver({ oldLog }: PlaceContent): Promise<OldLogState> {
  const state = oldLog && (await readOldLog(oldLog))
  if (!oldLog || !state) return NOTHING
  const files: LakeFile[] = []
  for (const file of state.files) files.push({ ...file, ...(await oldLog.marksOf(file)) })
  return { ...state, files }
}

/** All at once: a log is taken over as a whole or not at all. */
const insertCatalogue = (
  database: Database,
  { storeId, location, isLocal }: StorePlace,
  { version, files, retired }: OldLogState,
): Promise<number> =>
  database.transaction().execute(async (transaction) => {
    const now = sql<Date>`now()`
    const { id } = await transaction
      .insertInto('store_catalogues')
      .values({ store_id: storeId, location, is_local: isLocal, version: 0, purged_version: 0, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (version === 0) return id
    // New files go on with the old numbers.
    const before = { ...EMPTY, version: version - 1 }
    await transaction.updateTable('store_catalogues').set({ version: before.version }).where('id', '=', id).execute()
    const catalogue = new StoreCatalogue(transaction, id)
    await catalogue.commit(before, { add: files, remove: [], at: Date.now() })
    // What the log tells of earlier moments is not taken over.
    await catalogue.endHistoryBefore(version)
    // The next writer removes them.
    for (const path of retired) await catalogue.announce(path)
    return id
  })
