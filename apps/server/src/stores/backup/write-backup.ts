import type pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DAY } from '@tradewright/core/time'
import { StartupFailure } from '../../startup-failure.ts'
import { errorCode } from '../../system-error.ts'
import { ArchiveWriter, type Manifest, sealSecret } from './archive.ts'
import { copyOut, sequencesOf, tablesOf } from './database-copy.ts'
import { localPrefix, systemLocation } from '../series/store-access.ts'

/** A file of DATA_DIR that belongs to a backup: `path` is relative to DATA_DIR, `at` where its bytes are kept meanwhile. */
interface KeptFile {
  readonly path: string
  readonly at: string
  readonly bytes: number
}

interface KeptFiles {
  readonly files: readonly KeptFile[]
  /** Files that the catalogue has for other machines of this database. */
  readonly elsewhere: number
  remove(): Promise<void>
}

/** A file of the catalogue was replaced and removed before it could be kept: a new snapshot knows its successor. */
class FileGone extends Error {}

/**
 * Keeps what the catalogue of this snapshot names, by a second name for each file: a file is never changed once it has
 * its name, and what the program replaces meanwhile stays here. Takes no room and no lock.
 */
async function keepFiles(client: pg.ClientBase, dataDir: string): Promise<KeptFiles> {
  await removeLeftOver(dataDir)
  const folder = join(dataDir, `backup-${randomUUID()}.unfinished`)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const { paths, elsewhere } = await filesOfThisMachine(client, dataDir)
    const files: KeptFile[] = []
    for (const path of [...paths, ...(await smallFiles(dataDir))]) {
      const at = join(folder, String(files.length))
      await mkdir(dirname(at), { recursive: true, mode: 0o700 })
      await secondName(join(dataDir, path), at)
      files.push({ path, at, bytes: (await stat(at)).size })
    }
    return { files, elsewhere, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Removes what killed backups left: links to files that the program has replaced since would take room for ever. */
async function removeLeftOver(dataDir: string): Promise<void> {
  // None before the first start.
  for (const name of await readdir(dataDir).catch(() => [])) {
    if (!/^backup-[0-9a-f-]{36}\.unfinished$/.test(name)) continue
    const folder = join(dataDir, name)
    const { mtimeMs } = await stat(folder)
    // Another one may be under way.
    if (Date.now() - mtimeMs > DAY) await rm(folder, { recursive: true, force: true })
  }
}

async function secondName(from: string, to: string): Promise<void> {
  try {
    await link(from, to).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') throw error
      // File systems without second names.
      return copyFile(from, to)
    })
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') throw new FileGone(`${from} is missing`, { cause })
    throw cause
  }
}

async function filesOfThisMachine(client: pg.ClientBase, dataDir: string) {
  const id = await readFile(join(dataDir, 'stores', 'folder-id'), 'utf8').catch(() => '')
  const { rows } = await client.query<{ location: string; path: string; userId: number; storeId: number }>(
    `SELECT location, path, user_id AS "userId", store_id AS "storeId"
     FROM store_files JOIN store_catalogues ON store_catalogues.id = catalogue_id JOIN data_stores ON data_stores.id = store_id
     WHERE is_local AND (retired_version IS NULL OR is_history) ORDER BY catalogue_id, path`,
  )
  const paths = rows.flatMap(({ location, path, userId, storeId }) => {
    if (id === '') return []
    if (location === systemLocation(id)) return [`stores/user-${userId}/${path}`]
    const prefix = localPrefix(id)
    if (!location.startsWith(prefix)) return []
    const below = location.slice(prefix.length)
    return [['stores/local', below, `user-${userId}/store-${storeId}`, path].filter(Boolean).join('/')]
  })
  return { paths, elsewhere: rows.length - paths.length }
}

/** Which folder this is, and emergency stops that the database may not know yet. */
async function smallFiles(dataDir: string): Promise<string[]> {
  const stops = await readdir(join(dataDir, 'emergency-stop')).catch(() => [])
  const hasId = await stat(join(dataDir, 'stores', 'folder-id')).catch(() => undefined)
  return [...(hasId ? ['stores/folder-id'] : []), ...stops.map((stop) => `emergency-stop/${stop}`)]
}

interface BackupRequest {
  /** A connection of its own: it holds one transaction from the beginning to the end. */
  readonly client: pg.ClientBase
  readonly to: string
  readonly version: string
  readonly createdAt: Date
  /** Undefined: the archive has the database alone. */
  readonly dataDir: string | undefined
  /** Undefined: keys that users stored can be opened only with the secret that is kept elsewhere. */
  readonly secret?: { readonly value: string; readonly passphrase: string } | undefined
}

const ATTEMPTS = 5

/**
 * Writes one archive while the program works: all tables as one instant saw them, and the series files that the catalogue
 * of the same instant names.
 */
export async function writeBackup(request: BackupRequest): Promise<Manifest> {
  const { client } = request
  const kept = await beginWithFiles(request)
  let archive: ArchiveWriter | undefined
  try {
    const tables = await tablesOf(client)
    archive = await ArchiveWriter.create(request.to, {
      version: request.version,
      createdAt: request.createdAt.toISOString(),
      migrations: await appliedMigrations(client),
      tables,
    })
    for (const table of tables) {
      const rows = copyOut(client, table)
      await archive.table(table.name, rows, () => rows.rowCount)
    }
    // Sequences stand outside of transactions: read after the rows they are never behind them.
    const sequences = await sequencesOf(client)
    await client.query('COMMIT')
    for (const { path, at, bytes } of kept?.files ?? []) await archive.file(path, at, bytes)
    if (request.secret) await archive.secret(await sealSecret(request.secret.value, request.secret.passphrase))
    return await archive.finish({ sequences, filesElsewhere: kept?.elsewhere ?? 0 })
  } catch (error) {
    await archive?.abandon()
    await client.query('ROLLBACK').catch(() => {})
    if (errorCode(error) !== 'ENOSPC') throw error
    throw new StartupFailure(`No backup was made: the disk of ${request.to} is full.`, { cause: error })
  } finally {
    await kept?.remove()
  }
}

/** Opens the transaction and keeps its files. One that is gone was replaced after the transaction began: then a new one. */
async function beginWithFiles({ client, dataDir }: BackupRequest): Promise<KeptFiles | undefined> {
  for (let attempt = 1; ; attempt++) {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    try {
      return dataDir === undefined ? undefined : await keepFiles(client, dataDir)
    } catch (error) {
      await client.query('ROLLBACK')
      if (!(error instanceof FileGone)) throw error
      if (attempt === ATTEMPTS) throw new StartupFailure(`No backup was made: ${error.message}.`, { cause: error })
      await pause(200 * attempt)
    }
  }
}

export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: known } = await client.query<{ found: string | null }>(
    `SELECT to_regclass('kysely_migration') AS found`,
  )
  if (known[0]?.found === null) return []
  const { rows } = await client.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
  return rows.map(({ name }) => name)
}
