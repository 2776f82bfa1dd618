import { sql } from 'kysely'
import type { Database } from '../../database.ts'
import type { ExpectedFile } from '../parquet/lake-folder.ts'
import type { WriterLock } from '../writer-lock.ts'
import { StoreCatalogue } from './store-catalogue.ts'

/** Where a store's files lie, in words that stay the same when the server's folders are moved. */
export interface StorePlace {
  readonly storeId: number
  readonly location: string
  readonly isLocal: boolean
}

/** The files at the place itself. */
interface PlaceContent {
  /** Whether the file is there, byte for byte. */
  holds(file: ExpectedFile): Promise<boolean>
}

export const lockNameOf = ({ storeId }: Pick<StorePlace, 'storeId'>): string => `data-store-${storeId}`

/** The catalogue of a store, made when it is first asked for. Files that were moved keep that of their last place. */
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
      (await insertCatalogue(database, place))
    return new StoreCatalogue(database, id)
  })
}

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

async function insertCatalogue(database: Database, { storeId, location, isLocal }: StorePlace): Promise<number> {
  const { id } = await database
    .insertInto('store_catalogues')
    .values({
      store_id: storeId,
      location,
      is_local: isLocal,
      version: 0,
      purged_version: 0,
      created_at: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
