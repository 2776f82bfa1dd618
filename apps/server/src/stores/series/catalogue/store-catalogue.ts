import { type Selectable, sql } from 'kysely'
import type { Layer } from '@tradewright/engine/market/series'
import { storeMissing } from '../../../market-data/stores/data-store.ts'
import type { Database } from '../../database.ts'
import type { Tables } from '../../tables.ts'
import { type LakeFile, readSegments, writeSegments } from '../parquet/lake-file.ts'
import { MAX_PACKED_ROWS, packTogether } from '../parquet/removed-rows.ts'
import { MAX_PACKED_CHANGES, packChanges, unpackChanges, type Change, EMPTY, type Snapshot } from './snapshot.ts'

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

  /** Reads what changed since the snapshot that is known. */
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
  async commit(base: Snapshot, { add, remove, at, history }: Change): Promise<boolean> {
    const [version, instant] = [base.version + 1, new Date(at)]
    const pastFiles = history?.files ?? []
    const files = [...add, ...pastFiles]
    const paths = files.map(({ path }) => path)
    const { rows } = await sql`/* prepared: store-commit */
      WITH won AS (
        UPDATE store_catalogues SET version = ${version},
          history_from_version = CASE WHEN ${history !== undefined}::boolean THEN history_from_version ELSE ${version} END
        WHERE id = ${this.#id} AND version = ${base.version}
        RETURNING id
      ), changed AS (
        INSERT INTO store_changes (catalogue_id, version, changed_at)
        -- A clock that was set back must not bring the order of changes into disorder.
        SELECT id, ${version}::bigint, greatest(${instant}::timestamptz,
          (SELECT max(changed_at) FROM store_changes WHERE catalogue_id = ${this.#id}))
        FROM won
      ), removed AS (
        INSERT INTO store_removed_rows (catalogue_id, version, first_version, layer, records, data)
        SELECT id, ${version}::bigint, ${version}::bigint, ${history?.rows?.layer ?? ''}::text,
          ${history?.rows?.records ?? 0}::integer, ${history?.rows?.data ?? null}::bytea
        FROM won WHERE ${history?.rows !== undefined}::boolean
      ), retired AS (
        UPDATE store_files SET retired_version = ${version}, retired_at = ${instant},
          is_history = path = ANY(${history?.wholeFiles ?? []}::text[])
        FROM won WHERE catalogue_id = won.id AND path = ANY(${remove}::text[])
      ), pending AS (
        DELETE FROM store_pending_files USING won WHERE catalogue_id = won.id AND path = ANY(${paths}::text[])
      ), added AS (
        INSERT INTO store_files
          (catalogue_id, path, layer, partition, rows, bytes, checksum, segments, added_version, added_at,
           is_history, retired_version, retired_at)
        SELECT won.id, file.path, layer, partition, rows, bytes, checksum, segments, ${version}::bigint,
          ${instant}::timestamptz, is_past, CASE WHEN is_past THEN ${version}::bigint END,
          CASE WHEN is_past THEN ${instant}::timestamptz END
        FROM won, unnest(
          ${paths}::text[], ${files.map(({ layer }) => layer)}::text[],
          ${files.map(({ partition }) => partition)}::text[],
          ${files.map((file) => file.rows)}::bigint[], ${files.map(({ bytes }) => bytes)}::bigint[],
          ${files.map(({ checksum }) => checksum)}::text[],
          ${files.map(({ segments }) => writeSegments(segments))}::text[],
          ${files.map((file) => pastFiles.includes(file))}::boolean[]
        ) AS file (path, layer, partition, rows, bytes, checksum, segments, is_past)
      )
      SELECT id FROM won`.execute(this.#database)
    if (rows.length === 0) return false
    // Files that were forgotten since `base` was read must not come back.
    const newest = this.#snapshot.version === base.version ? this.#snapshot : base
    this.#keep(applied(newest, { add, remove, at, history }))
    return true
  }

  /** Announces a file before it is written: should this process end, a later one finds the file by it. */
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

  /** The newest change up to an instant; zero before the first. */
  async versionAt(at: number): Promise<PastVersion> {
    const instant = new Date(at)
    const { rows } = await sql<VersionRow>`
      /* prepared: store-version-at */
      SELECT history_from_version AS from_version, coalesce(before.version, 0) AS version, after.earlier,
        begin.version AS begin_version, begin.changed_at AS begin_at, begin.earlier AS begin_earlier
      FROM store_catalogues
      -- Changes are in the order of their instants.
      LEFT JOIN LATERAL (
        SELECT change.version FROM store_changes AS change WHERE catalogue_id = id AND changed_at <= ${instant}
        ORDER BY change.version DESC LIMIT 1
      ) AS before ON true
      LEFT JOIN LATERAL (
        SELECT earlier FROM store_changes AS change
        WHERE catalogue_id = id AND change.version > coalesce(before.version, 0) ORDER BY change.version LIMIT 1
      ) AS after ON true
      LEFT JOIN LATERAL (
        SELECT change.version, changed_at, earlier FROM store_changes AS change
        WHERE catalogue_id = id AND change.version >= history_from_version ORDER BY change.version LIMIT 1
      ) AS begin ON true
      WHERE id = ${this.#id}`.execute(this.#database)
    const [row] = rows
    if (!row) throw storeMissing()
    const packed = row.earlier ? unpackChanges(row.earlier) : []
    const version = packed.findLast((change) => change.at <= at)?.version ?? row.version
    const fromVersion = row.from_version
    return {
      version,
      fromVersion,
      isKnown: version >= fromVersion,
      knownFrom: fromVersion > 0 ? beginOf(row) : undefined,
    }
  }

  /** Records that were there after one change and had gone by another. */
  async removedBetween(from: number, to: number): Promise<RemovedRecords> {
    const files = await this.#database
      .selectFrom('store_files')
      .select(['path', 'layer', 'partition', 'rows', 'bytes', 'checksum', 'segments', 'retired_at'])
      .where('catalogue_id', '=', this.#id)
      .where('is_history', '=', true)
      .where('retired_version', '>', from)
      .where('retired_version', '<=', to)
      .execute()
    const rows = await this.#database
      .selectFrom('store_removed_rows')
      .select(['layer', 'version', 'data'])
      .where('catalogue_id', '=', this.#id)
      .where('version', '>', from)
      .where('first_version', '<=', to)
      .orderBy('version')
      .execute()
    return {
      files: files.map(toLakeFile),
      rows: rows.map(({ layer, version, data }) => ({ layer: layer as Layer, version, data })),
    }
  }

  /**
   * Packs removed records of many changes together, which takes a fraction of the room. One transaction, so a reader
   * finds each record once.
   */
  async packHistory(packedTogether: number): Promise<void> {
    await this.#packRemoved(packedTogether)
    await this.#packChanges(packedTogether)
  }

  async #packChanges(packedTogether: number): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ version: number; changed_at: Date; earlier: Buffer | null }>`
        SELECT version, changed_at, earlier FROM store_changes WHERE catalogue_id = ${this.#id}
          -- From the last packed row on, which may have room.
          AND version >= coalesce((SELECT max(version) FROM store_changes WHERE catalogue_id = ${this.#id} AND earlier IS NOT NULL), 0)
        ORDER BY version FOR UPDATE`.execute(transaction)
      if (rows.length <= packedTogether) return
      const changes = rows.flatMap(({ version, changed_at: at, earlier }) => [
        ...(earlier ? unpackChanges(earlier) : []),
        { version, at: at.getTime() },
      ])
      await transaction
        .deleteFrom('store_changes')
        .where('catalogue_id', '=', this.#id)
        .where('version', '=', sql<number>`ANY(${rows.map(({ version }) => version)})`)
        .execute()
      for (let from = 0; from < changes.length; from += MAX_PACKED_CHANGES) {
        const part = changes.slice(from, from + MAX_PACKED_CHANGES)
        const last = part.at(-1)!
        await transaction
          .insertInto('store_changes')
          .values({
            catalogue_id: this.#id,
            version: last.version,
            changed_at: new Date(last.at),
            first_at: new Date(part[0]!.at),
            earlier: packChanges(part.slice(0, -1)),
          })
          .execute()
      }
    })
  }

  async #packRemoved(packedTogether: number): Promise<void> {
    const small = await sql<{ layer: string }>`/* prepared: store-small-rows */
      SELECT layer FROM store_removed_rows WHERE catalogue_id = ${this.#id} AND records <= ${MAX_PACKED_ROWS / 2}
      GROUP BY layer HAVING count(*) >= ${packedTogether}`.execute(this.#database)
    for (const { layer } of small.rows) {
      await this.#database.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('store_removed_rows')
          .select(['version', 'first_version', 'records', 'data'])
          .where('catalogue_id', '=', this.#id)
          .where('layer', '=', layer)
          .where('records', '<=', MAX_PACKED_ROWS / 2)
          .orderBy('version')
          .forUpdate()
          .execute()
        const versions = rows.map(({ version }) => version)
        await transaction
          .deleteFrom('store_removed_rows')
          .where('catalogue_id', '=', this.#id)
          .where('version', '=', sql<number>`ANY(${versions})`)
          .execute()
        const packed = packTogether(
          rows.map(({ version, first_version: firstVersion, records, data }) => ({
            version,
            firstVersion,
            records,
            data,
          })),
        )
        for (const { version, firstVersion, records, data } of packed) {
          await transaction
            .insertInto('store_removed_rows')
            .values({ catalogue_id: this.#id, version, first_version: firstVersion, layer, records, data })
            .execute()
        }
      })
    }
  }

  /**
   * From now on nothing is known of moments before this change. To be done before what is kept of them is removed: a
   * process that ends in between leaves history that is not read, and never a part of it.
   */
  async endHistoryBefore(version: number): Promise<void> {
    await sql`
      UPDATE store_catalogues SET history_from_version = greatest(history_from_version, least(version, ${version}))
      WHERE id = ${this.#id}`.execute(this.#database)
  }

  /** Files of history that is no longer read. */
  async expiredFiles(): Promise<string[]> {
    const rows = await this.#database
      .selectFrom('store_files')
      .innerJoin('store_catalogues', 'store_catalogues.id', 'catalogue_id')
      .select('path')
      .where('catalogue_id', '=', this.#id)
      .where('is_history', '=', true)
      .whereRef('retired_version', '<=', 'history_from_version')
      .execute()
    return rows.map(({ path }) => path)
  }

  /** Records and instants of history that is no longer read; the change that it begins with stays. */
  async forgetExpired(): Promise<void> {
    await sql`
      DELETE FROM store_removed_rows AS removed USING store_catalogues AS catalogue
      WHERE id = ${this.#id} AND catalogue_id = id AND removed.version <= history_from_version`.execute(this.#database)
    await sql`
      DELETE FROM store_changes AS change USING store_catalogues AS catalogue
      WHERE id = ${this.#id} AND catalogue_id = id AND change.version < history_from_version`.execute(this.#database)
  }

  /** The change up to which history has to go for so many bytes of it to be free. */
  async versionToFree(bytes: number): Promise<number> {
    const { rows } = await sql<{ version: number | null }>`
      SELECT min(version) AS version FROM (
        SELECT version, sum(bytes) OVER (ORDER BY version) AS freed, sum(bytes) OVER () AS whole FROM (
          SELECT retired_version AS version, bytes FROM store_files WHERE catalogue_id = ${this.#id} AND is_history
          UNION ALL
          SELECT version, octet_length(data) FROM store_removed_rows WHERE catalogue_id = ${this.#id}
        ) AS kept
      ) AS summed WHERE freed >= least(${bytes}, whole)`.execute(this.#database)
    return rows[0]?.version ?? 0
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
      SELECT version, purged_version, path, layer, partition, rows, bytes, checksum, retired_at, is_history,
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
> & { readonly segments: string | null; readonly is_history: boolean }

interface VersionRow {
  readonly from_version: number
  readonly version: number
  /** The packed changes of the row after the instant: some of them may be before it. */
  readonly earlier: Buffer | null
  /** The row with the change that the history begins with. */
  readonly begin_version: number | null
  readonly begin_at: Date | null
  readonly begin_earlier: Buffer | null
}

function beginOf(row: VersionRow): Date | undefined {
  if (row.begin_version === row.from_version) return row.begin_at ?? undefined
  const packed = row.begin_earlier ? unpackChanges(row.begin_earlier) : []
  const begin = packed.find(({ version }) => version >= row.from_version)
  return begin && new Date(begin.at)
}

/** A moment of a store: the number of its last change then. */
interface PastVersion {
  readonly version: number
  /** False for a moment of which nothing is kept any longer, or was never kept. */
  readonly isKnown: boolean
  /** The change from which on it is known what the store held; zero: from its beginning. */
  readonly fromVersion: number
  readonly knownFrom: Date | undefined
}

export interface RemovedRecords {
  readonly files: readonly LakeFile[]
  /** In the order of their changes. */
  readonly rows: readonly { readonly layer: Layer; readonly version: number; readonly data: Buffer }[]
}

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
      if (!row.is_history) retired.set(row.path, row.retired_at.getTime())
    } else files.set(row.path, toLakeFile(row))
  }
  return { version, files, retired }
}

function applied(base: Snapshot, { add, remove, at, history }: Change): Snapshot {
  const files = new Map(base.files)
  const retired = new Map(base.retired)
  const kept = new Set(history?.wholeFiles)
  for (const path of remove) {
    files.delete(path)
    if (!kept.has(path)) retired.set(path, at)
  }
  for (const file of add) files.set(file.path, file)
  return { version: base.version + 1, files, retired }
}

const toLakeFile = ({
  path,
  layer,
  partition,
  rows,
  bytes,
  checksum,
  segments,
}: Omit<ChangedRow, 'is_history'>): LakeFile => ({
  path,
  layer: layer as Layer,
  partition,
  rows,
  bytes,
  checksum,
  segments: readSegments(segments!),
})
