import type pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupFailure } from '../../startup-failure.ts'
import { errorCode } from '../../system-error.ts'
import { ArchiveWriter, type Manifest } from './archive.ts'
import { copyOut, sequencesOf, tablesOf } from './database-copy.ts'
import { FileGone, type KeptFiles, keepFiles } from './series-files.ts'
import { sealSecret } from './sealed-secret.ts'

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
