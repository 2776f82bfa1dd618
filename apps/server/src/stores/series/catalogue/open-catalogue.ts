import { sql } from 'kysely'
import type { Database } from '../../database.ts'
import type { ExpectedFile } from '../parquet/lake-file.ts'
import type { WriterLock } from '../writer-lock.ts'
import { StoreCatalogue } from './store-catalogue.ts'
import { PACKED_TOGETHER } from '../parquet/removed-rows.ts'
import type { LocalBytes } from '../disk/disk-allowance.ts'
import { localPrefix } from '../store-access.ts'

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

/** Stores with history from before an instant, or with many small pieces of it, whatever place they are at now. */
export async function storesWithHistoryBefore(
  database: Database,
  at: Date,
): Promise<{ storeId: number; userId: number }[]> {
  const { rows } = await sql<{ storeId: number; userId: number }>`
    SELECT DISTINCT data_stores.id AS "storeId", user_id AS "userId"
    FROM store_catalogues JOIN data_stores ON data_stores.id = store_id
    WHERE EXISTS (
      SELECT FROM store_changes AS change
      WHERE catalogue_id = store_catalogues.id AND coalesce(first_at, changed_at) <= ${at}
        AND change.version > history_from_version
    ) OR (
      SELECT count(*) FROM store_changes WHERE catalogue_id = store_catalogues.id AND earlier IS NULL
    ) > ${2 * PACKED_TOGETHER} ORDER BY 1`.execute(database)
  return rows
}

/** Bytes of all local stores of a user in one folder, whatever the stores are now. */
export async function localBytesOf(database: Database, folderId: string, userId: number): Promise<LocalBytes> {
  const { live, retired } = await database
    .selectFrom('store_files')
    .innerJoin('store_catalogues', 'store_catalogues.id', 'catalogue_id')
    .innerJoin('data_stores', 'data_stores.id', 'store_id')
    .select([
      sql<number>`coalesce(sum(bytes) FILTER (WHERE retired_version IS NULL), 0)::bigint`.as('live'),
      sql<number>`coalesce(sum(bytes) FILTER (WHERE retired_version IS NOT NULL AND NOT is_history), 0)::bigint`.as(
        'retired',
      ),
    ])
    .where('user_id', '=', userId)
    .where('is_local', '=', true)
    .where(sql<boolean>`starts_with(location, ${folderId})`)
    .executeTakeFirstOrThrow()
  return { live, retired }
}

/** Bytes of the history of all stores of a user: files on this machine, and records in our database. */
export async function historyBytesOf(database: Database, folderId: string, userId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT (
      SELECT coalesce(sum(bytes), 0) FROM store_files JOIN store_catalogues ON store_catalogues.id = catalogue_id
      JOIN data_stores ON data_stores.id = store_id
      WHERE user_id = ${userId} AND is_history AND is_local AND starts_with(location, ${folderId})
    )::bigint + (
      SELECT coalesce(sum(octet_length(data)), 0) FROM store_removed_rows
      JOIN store_catalogues ON store_catalogues.id = catalogue_id JOIN data_stores ON data_stores.id = store_id
      WHERE user_id = ${userId}
    )::bigint AS bytes`.execute(database)
  return rows[0]!.bytes
}

/** Every path in a folder that a local store was given. */
export async function localPathsOf(database: Database, folderId: string, storeId: number): Promise<string[]> {
  const prefix = localPrefix(folderId)
  const rows = await database
    .selectFrom('store_catalogues')
    .select('location')
    .where('store_id', '=', storeId)
    .where(sql<boolean>`starts_with(location, ${prefix})`)
    .execute()
  return rows.map(({ location }) => location.slice(prefix.length))
}
