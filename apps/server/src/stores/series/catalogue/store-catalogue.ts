import { type Selectable, sql } from 'kysely'
import type { Layer } from '@tradewright/engine/market/series'
import { storeMissing } from '../../../market-data/stores/data-store.ts'
import type { Database } from '../../database.ts'
import type { Tables } from '../../tables.ts'
import { type LakeFile, readSegments, writeSegments } from '../parquet/lake-file.ts'
import { type Change, EMPTY, type Snapshot } from './snapshot.ts'

/**
 * The catalogue of a store's files, in our own database: a file that no row names does not exist for a reader, so a
 * writer that dies leaves the old state. Each change has a number, and two writers cannot make the same one.
 */
export class StoreCatalogue {
  readonly #database: Database
  readonly #id: number
  #snapshot: Snapshot = EMPTY

  constructor(database: Database, id: number) {
    this.#database = database
    this.#id = id
  }

  /** The newest state. */
  async refresh(): Promise<Snapshot> {
    let known = this.#snapshot
    let changes = await this.#changesSince(known.version)
    if (known.version < changes.purgedVersion && known !== EMPTY) {
      known = EMPTY
      changes = await this.#changesSince(0)
    }
    if (changes.version === known.version) return known
    return this.#keep(caughtUp(known, changes))
  }

  /** False when another writer has changed the store since `base`. One statement, so all of it happens or nothing. */
  async commit(base: Snapshot, { add, remove, at }: Change): Promise<boolean> {
    const [version, instant] = [base.version + 1, new Date(at)]
    const paths = add.map(({ path }) => path)
    const { rows } = await sql`/* prepared: store-commit */
      WITH won AS (
        UPDATE store_catalogues SET version = ${version} WHERE id = ${this.#id} AND version = ${base.version}
        RETURNING id
      ), retired AS (
        UPDATE store_files SET retired_version = ${version}, retired_at = ${instant}
        FROM won WHERE catalogue_id = won.id AND path = ANY(${remove}::text[])
      ), pending AS (
        DELETE FROM store_pending_files USING won WHERE catalogue_id = won.id AND path = ANY(${paths}::text[])
      ), added AS (
        INSERT INTO store_files
          (catalogue_id, path, layer, partition, rows, bytes, checksum, segments, added_version, added_at)
        SELECT won.id, file.*, ${version}::bigint, ${instant}::timestamptz
        FROM won, unnest(
          ${paths}::text[], ${add.map(({ layer }) => layer)}::text[], ${add.map(({ partition }) => partition)}::text[],
          ${add.map((file) => file.rows)}::bigint[], ${add.map(({ bytes }) => bytes)}::bigint[],
          ${add.map(({ checksum }) => checksum)}::text[],
          ${add.map(({ segments }) => writeSegments(segments))}::text[]
        ) AS file
      )
      SELECT id FROM won`.execute(this.#database)
    if (rows.length === 0) return false
    // Files that were forgotten since `base` was read must not come back.
    const newest = this.#snapshot.version === base.version ? this.#snapshot : base
    this.#keep(applied(newest, { add, remove, at }))
    return true
  }

  /** Before a file is written: should this process end, a later one finds the file by it. */
  async announce(path: string): Promise<void> {
    await this.#database
      .insertInto('store_pending_files')
      .values({ catalogue_id: this.#id, path, announced_at: sql<Date>`now()` })
      .execute()
  }

  /** Announced files that were never added. */
  async abandoned(graceMs: number): Promise<string[]> {
    const rows = await this.#database
      .selectFrom('store_pending_files')
      .select('path')
      .where('catalogue_id', '=', this.#id)
      .where('announced_at', '<=', sql<Date>`now() - ${graceMs} * interval '1 millisecond'`)
      .execute()
    return rows.map(({ path }) => path)
  }

  /** Announced files that are gone. */
  async withdraw(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return
    await this.#database
      .deleteFrom('store_pending_files')
      .where('catalogue_id', '=', this.#id)
      .where('path', '=', sql<string>`ANY(${paths})`)
      .execute()
  }

  /** Retired files that are gone. */
  async forget(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return
    await sql`
      WITH gone AS (
        DELETE FROM store_files
        WHERE catalogue_id = ${this.#id} AND path = ANY(${paths}) AND retired_version IS NOT NULL
        RETURNING retired_version
      )
      UPDATE store_catalogues
      SET purged_version = greatest(purged_version, (SELECT max(retired_version) FROM gone))
      WHERE id = ${this.#id}`.execute(this.#database)
    const { version, files, retired } = this.#snapshot
    const forgotten = new Set(paths)
    this.#snapshot = { version, files, retired: new Map([...retired].filter(([path]) => !forgotten.has(path))) }
  }

  /** Two refreshes may overlap: the older answer must not win. */
  #keep(snapshot: Snapshot): Snapshot {
    if (snapshot.version > this.#snapshot.version) this.#snapshot = snapshot
    return snapshot
  }

  /** One statement, so that the version and the files are of one moment. */
  async #changesSince(version: number): Promise<Changes> {
    const { rows } = await sql<ChangedRow & Pick<Tables['store_catalogues'], 'version' | 'purged_version'>>`
      /* prepared: store-changes */
      SELECT version, purged_version, path, layer, partition, rows, bytes, checksum, retired_at,
        -- What a retired file holds is of no interest.
        CASE WHEN retired_version IS NULL THEN segments END AS segments
      FROM store_catalogues
      LEFT JOIN store_files ON catalogue_id = id AND (added_version > ${version} OR retired_version > ${version})
      WHERE id = ${this.#id}`.execute(this.#database)
    const [first] = rows
    if (!first) throw storeMissing()
    // A catalogue without changes is one row without a file.
    return {
      version: first.version,
      purgedVersion: first.purged_version,
      files: rows.filter(({ path }) => path !== null),
    }
  }
}

/** Columns of a row that bring a snapshot up to date. */
type ChangedRow = Pick<
  Selectable<Tables['store_files']>,
  'path' | 'layer' | 'partition' | 'rows' | 'bytes' | 'checksum' | 'retired_at'
> & { readonly segments: string | null }

interface Changes {
  readonly version: number
  readonly purgedVersion: number
  readonly files: readonly ChangedRow[]
}

function caughtUp(known: Snapshot, { version, files: changed }: Changes): Snapshot {
  const files = new Map(known.files)
  const retired = new Map(known.retired)
  for (const row of changed) {
    if (row.retired_at) {
      files.delete(row.path)
      retired.set(row.path, row.retired_at.getTime())
    } else files.set(row.path, toLakeFile(row))
  }
  return { version, files, retired }
}

function applied(base: Snapshot, { add, remove, at }: Change): Snapshot {
  const files = new Map(base.files)
  const retired = new Map(base.retired)
  for (const path of remove) {
    files.delete(path)
    retired.set(path, at)
  }
  for (const file of add) files.set(file.path, file)
  return { version: base.version + 1, files, retired }
}

const toLakeFile = ({ path, layer, partition, rows, bytes, checksum, segments }: ChangedRow): LakeFile => ({
  path,
  layer: layer as Layer,
  partition,
  rows,
  bytes,
  checksum,
  segments: readSegments(segments!),
})
