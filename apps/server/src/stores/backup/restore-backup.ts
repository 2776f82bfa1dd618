import { createHash, type Hash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { DAY } from '@tradewright/core/time'
import { StartupFailure } from '../../startup-failure.ts'
import {
  bringToBaseline,
  isBeforeBaseline,
  openToArchives,
  BASELINE,
  migrate,
  migrateTo,
  migrations,
} from '../migrate.ts'
import { type Database, connectDatabase } from '../database.ts'
import { type Header, type Manifest, readArchive, type SealedSecret } from './archive.ts'
import { copyIn, setSequences, tablesOf, withoutChecks, connectClient } from './database-copy.ts'
import { appliedMigrations } from './write-backup.ts'
import { createLog } from '../../log.ts'

export interface CheckedArchive {
  readonly file: string
  readonly header: Header
  readonly manifest: Manifest
  readonly secret: SealedSecret | undefined
}

/** Reads the whole archive and compares every checksum, before anything is restored from it. */
export async function checkArchive(file: string): Promise<CheckedArchive> {
  const tables = new Map<string, string>()
  const files: string[] = []
  let secret: SealedSecret | undefined
  const { header, manifest } = await readArchive(file, {
    onHeader: async ({ migrations: wanted, version }) => refuseUnknown(file, wanted, version),
    async onPart(part) {
      if (part.is === 'secret') secret = part.sealed
      else if (part.is === 'table') tables.set(part.name, await digest(part.content))
      else files[part.at] = await digest(part.content)
    },
  })
  const isWhole =
    header.tables.every(({ name }) => tables.has(name) && manifest.tables[name]?.sha256 === tables.get(name)) &&
    manifest.files.every(({ sha256 }, at) => files[at] === sha256)
  if (!isWhole) throw new StartupFailure(`${file} is damaged: its content does not match its checksums.`)
  for (const { path } of manifest.files) contained(path)
  return { file, header, manifest, secret }
}

function refuseUnknown(file: string, made: readonly string[], version: string): void {
  const wanted = tablesFor(made)
  const unknown = wanted.find((name) => !Object.hasOwn(migrations, name))
  if (unknown === undefined) return
  throw new StartupFailure(
    `${file} was made by a newer Tradewright (${version}): this program does not know its database version ${unknown}. Restore it with that version.`,
  )
}

interface Target {
  readonly database: Database
  /** A connection of its own to the same database. */
  readonly client: pg.ClientBase
  /** Undefined: the tables alone, for a trial. */
  readonly dataDir: string | undefined
  /** Done in the transaction of the rows: what has to be true before one of them can be seen. */
  readonly beforeCommit?: () => Promise<void>
}

/** Fills an empty database, and DATA_DIR with the files; then brings the tables to this program's version. */
export async function restoreBackup({ file, header, manifest }: CheckedArchive, target: Target): Promise<void> {
  const { client, database, dataDir } = target
  await prepareTables(target, header)
  const isOld = isBeforeBaseline(header.migrations)
  await client.query('BEGIN')
  try {
    if (isOld) await openToArchives((statements) => client.query(statements))
    await refuseOtherTables(client, header)
    await withoutChecks(client, header.tables, async () => {
      await readArchive(file, {
        async onPart(part) {
          if (part.is === 'table') await fill(client, part, header, manifest)
          else if (part.is === 'file') await writeFileOf(part, manifest, dataDir)
        },
      })
    })
    await setSequences(client, manifest.sequences)
    if (isOld) await bringToBaseline((statements) => client.query(statements))
    await target.beforeCommit?.()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
  await migrate(database)
}

/** The migrations that make the tables of an archive. */
const tablesFor = (made: readonly string[]): readonly string[] => (isBeforeBaseline(made) ? [BASELINE] : made)

/** Tables as the archive's program had them: none may be there yet, or the same ones without any user. */
async function prepareTables({ client, database }: Target, header: Header): Promise<void> {
  const wanted = tablesFor(header.migrations)
  const present = await appliedMigrations(client)
  if (present.length === 0) {
    await migrateTo(database, wanted.at(-1)!)
    return
  }
  if (await hasUsers(client)) {
    throw new StartupFailure(
      'This instance has users already: a backup is restored into an empty one. Set DATA_DIR to a new folder, or DATABASE_URL to an empty database.',
    )
  }
  if (present.join() !== wanted.join()) {
    throw new StartupFailure(
      'This database was made by another version than the archive. Set DATA_DIR to a new folder, or DATABASE_URL to an empty database.',
    )
  }
}

/** An archive may come from anywhere: it fills our tables, and no others that the database has. */
async function refuseOtherTables(client: pg.ClientBase, { tables }: Header): Promise<void> {
  const known = new Map((await tablesOf(client)).map(({ name, columns }) => [name, new Set(columns)]))
  const other = tables.find(({ name, columns }) => !columns.every((column) => known.get(name)?.has(column)))
  if (!other) return
  throw new StartupFailure(`The archive has a table that its version does not have: ${JSON.stringify(other.name)}.`)
}

async function hasUsers(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT EXISTS (SELECT FROM users) AS found')
  return rows[0]!.found
}

async function fill(
  client: pg.ClientBase,
  { name, content }: { name: string; content: AsyncIterable<Buffer> },
  header: Header,
  manifest: Manifest,
): Promise<void> {
  const table = header.tables.find((one) => one.name === name)
  const expected = manifest.tables[name]?.rows
  if (!table) throw new StartupFailure(`The archive has rows of a table that it does not name: ${name}.`)
  const rows = await copyIn(client, table, content)
  if (rows !== expected) {
    throw new StartupFailure(`${name} has ${rows} rows after the restore, and had ${expected} when it was backed up.`)
  }
}

/** The instance is empty: what a restore that was cut short left is written anew. */
async function writeFileOf(
  { at, content }: { at: number; content: AsyncIterable<Buffer> },
  manifest: Manifest,
  dataDir: string | undefined,
): Promise<void> {
  const path = manifest.files[at]?.path
  if (dataDir === undefined || path === undefined) {
    await digest(content)
    return
  }
  const to = join(dataDir, contained(path))
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await rm(to, { force: true })
  await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(to, { mode: 0o600, flush: true }))
  await chmod(to, 0o600)
}

/** The limits of usual file systems; a path leaves room for that of DATA_DIR. */
const MAX_NAME_BYTES = 255
const MAX_PATH_BYTES = 2000

/** An archive may come from anywhere: its paths stay below DATA_DIR, in the folders that backups have. */
function contained(path: string): string {
  const clean = normalize(path)
  const [folder, ...names] = clean.split(sep)
  const isAllowed =
    ['stores', 'emergency-stop'].includes(folder ?? '') &&
    names.length > 0 &&
    names.every((name) => name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES) &&
    Buffer.byteLength(clean) <= MAX_PATH_BYTES &&
    !/[\\\0]/.test(path)
  if (!isAllowed)
    throw new StartupFailure(`The archive has a file outside of its folders: ${JSON.stringify(path.slice(0, 200))}.`)
  return clean
}

async function digest(content: AsyncIterable<Buffer>): Promise<string> {
  const hash: Hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}

const PREFIX = 'tradewright_restore_test_'

/**
 * Restores the tables of an archive into a new database of the same server, which goes after it, and compares the rows of
 * each table and the checksum of each file. Throws where something is missing.
 */
export async function testRestore(file: string, databaseUrl: string): Promise<string> {
  const archive = await checkArchive(file)
  await removeLeftOver(databaseUrl)
  const name = `${PREFIX}${Date.now()}_${randomBytes(6).toString('hex')}`
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  await administer(databaseUrl, `CREATE DATABASE ${name}`)
  try {
    const connection = connectDatabase(url.href, createLog({ logLevel: 'silent' }), 2)
    const client = await connection.pool.connect()
    try {
      await restoreBackup(archive, { database: connection.database, client, dataDir: undefined })
    } finally {
      client.release()
      await connection.close()
    }
  } finally {
    await administer(databaseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
  return 'Test restore: every row and every file is there.'
}

/** Databases of tests that were killed; one of the last day may be under way. */
async function removeLeftOver(databaseUrl: string): Promise<void> {
  const client = await connectClient(databaseUrl)
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname ~ $1`,
      [`^${PREFIX}[0-9]+_[0-9a-f]{12}$`],
    )
    const isOld = ({ name }: { name: string }) => Date.now() - Number(name.slice(PREFIX.length).split('_')[0]) > DAY
    for (const { name } of rows.filter(isOld)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  } finally {
    await client.end()
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = await connectClient(url)
  try {
    await client.query(statement)
  } catch (cause) {
    throw new StartupFailure(
      `The test restore needs a database of its own for a moment: ${(cause as Error).message}. Give the database user the right to create databases (ALTER ROLE … CREATEDB).`,
      { cause },
    )
  } finally {
    await client.end()
  }
}
