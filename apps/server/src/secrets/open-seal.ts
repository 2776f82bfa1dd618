import { sql, type RawBuilder } from 'kysely'
import { existsSync, chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { StartupFailure } from '../startup-failure.ts'
import type { Database } from '../stores/database.ts'
import { createSeal, keyIdOf, openBeforeRows, type Seal, sealedBy, Unreadable, type SealedPlace } from './seal.ts'
import { errorCode } from '../system-error.ts'

export type SecretConfig = Pick<Config, 'appSecret' | 'newAppSecret' | 'dataDir' | 'unreadableSecrets'>

/**
 * The seal of this instance. Stored secrets that it cannot open stop the start: a wrong secret is far more often a mistake
 * of the operator than a loss, and going on would tell every user to enter their keys again.
 */
export async function openSeal(config: SecretConfig, database: Database, log: Logger): Promise<Seal> {
  const mayGoOn = config.unreadableSecrets === 'ask'
  if (!mayGoOn && !hasSecret(config.appSecret, config.dataDir) && (await anySealed(database))) {
    throw new StartupFailure(missingSentence(config.dataDir))
  }
  const secret = appSecret(config.appSecret, config.dataDir)
  const others = nextSecrets(config)
  const seal = createSeal(secret, others)
  const unreadable = await resealOld(database, seal, [secret, ...others])
  if (unreadable === 0) return seal
  if (!mayGoOn) throw new StartupFailure(changedSentence(config, unreadable))
  log.warn({ secrets: unreadable }, 'stored secrets cannot be opened: their owners are asked to enter them again')
  return seal
}

/** Secrets of a rotation that was not finished: some rows are sealed with them already. */
function nextSecrets({ appSecret: configured, newAppSecret, dataDir }: SecretConfig): string[] {
  if (newAppSecret) return [newAppSecret]
  const file = nextSecretFile(dataDir)
  return configured === undefined && existsSync(file) ? [readSecret(file)] : []
}

async function anySealed(database: Database): Promise<boolean> {
  for await (const _ of sealedRows(database, sql<boolean>`true`)) return true
  return false
}

/** Seals rows of the earlier layout anew, and counts those that no known secret opens. */
async function resealOld(database: Database, seal: Seal, secrets: readonly string[]): Promise<number> {
  let unreadable = 0
  for await (const row of sealedRows(database, notSealedBy(secrets.map(keyIdOf)))) {
    const plain = sealedBy(row.sealed) === 'before rows' ? openedBefore(row, secrets) : undefined
    if (plain === undefined) unreadable += 1
    else await replaceSealed(database, row, seal.seal(row.place, plain))
  }
  return unreadable
}

/** The plain text of a row in the earlier layout; undefined where no secret opens it. */
export function openedBefore({ column, place, sealed }: SealedRow, secrets: readonly string[]): string | undefined {
  for (const secret of secrets) {
    try {
      return openBeforeRows(secret, column.purposeBeforeRows(place.userId), sealed)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
    }
  }
  return undefined
}

const GO_ON =
  'or start with UNREADABLE_SECRETS=ask: then the program goes on, and users are asked to enter these keys and passwords again'

const missingSentence = (dataDir: string) =>
  `Keys and passwords of users are stored, but the secret that opens them is missing: there is no ${secretFile(dataDir)} and no APP_SECRET. Restore it from a backup, ${GO_ON}.`

function changedSentence({ appSecret: configured, dataDir }: SecretConfig, count: number): string {
  const source = configured === undefined ? secretFile(dataDir) : 'APP_SECRET'
  return `${count} stored ${count === 1 ? 'key or password' : 'keys and passwords'} of users cannot be opened with ${source}: it is not the secret that sealed them. Restore the one that did (after a rotation that was not finished, run it again), ${GO_ON}.`
}

export const secretFile = (dataDir: string): string => join(dataDir, 'app-secret')
/** The secret that a rotation under way changes to. */
export const nextSecretFile = (dataDir: string): string => join(dataDir, 'app-secret.next')

/**
 * The secret that seals users' keys: APP_SECRET, else a file made at the first start. Several machines that share a
 * database must share APP_SECRET, too.
 */
export function appSecret(configured: string | undefined, dataDir: string): string {
  if (configured) return configured
  const file = secretFile(dataDir)
  if (!existsSync(file)) createSecret(dataDir, file)
  return readSecret(file)
}

export const hasSecret = (configured: string | undefined, dataDir: string): boolean =>
  configured !== undefined || existsSync(secretFile(dataDir))

export function readSecret(file: string): string {
  chmodSync(file, 0o600)
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 16) throw new StartupFailure(`${file} is damaged. Restore it from a backup, or set APP_SECRET.`)
  return secret
}

/** Written whole under another name and then linked: two first starts at once agree on one secret. */
export function createSecret(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** A column of sealed bytes, and how its rows are named. */
interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The column that names the row, beside the user. */
  readonly idColumn: string
  /** The purpose that the bytes were sealed for before rows were part of it. */
  readonly purposeBeforeRows: (userId: number) => string
}

/** Every column that holds sealed bytes. A new one has to be added here, or it would be left behind by a rotation. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'brokerage_accounts',
    column: 'sealed_keys',
    idColumn: 'id',
    purposeBeforeRows: (userId) => `brokerage keys of user ${userId}`,
  },
  { table: 'data_stores', column: 'sealed_secrets', idColumn: 'id', purposeBeforeRows: () => 'data store' },
  {
    table: 'custom_providers',
    column: 'sealed_key',
    idColumn: 'provider_id',
    purposeBeforeRows: () => 'custom provider',
  },
  {
    table: 'openai_connections',
    column: 'sealed_key',
    idColumn: 'user_id',
    purposeBeforeRows: (userId) => `openai key of user ${userId}`,
  },
  { table: 'alert_channels', column: 'sealed_values', idColumn: 'id', purposeBeforeRows: () => 'alert channel' },
  {
    table: 'signal_addresses',
    column: 'sealed_secret',
    idColumn: 'strategy_id',
    purposeBeforeRows: () => 'signal address',
  },
  // Never sealed in the earlier layout, like those that came after it.
  { table: 'second_factors', column: 'sealed_secret', idColumn: 'id', purposeBeforeRows: () => 'second factor' },
  { table: 'alert_settings', column: 'sealed_heartbeat', idColumn: 'user_id', purposeBeforeRows: () => 'heartbeat' },
]

export interface SealedRow {
  readonly place: SealedPlace
  readonly column: SealedColumn
  readonly sealed: Buffer
}

/** The rows that `which` selects by their bytes (`sealed`), in all tables. They are small and few: keys of users. */
export async function* sealedRows(database: Database, which: RawBuilder<boolean>): AsyncGenerator<SealedRow> {
  for (const column of SEALED_COLUMNS) {
    const { rows } = await sql<{ row: number | string; userId: number; sealed: Buffer }>`
      SELECT ${sql.ref(column.idColumn)} AS "row", user_id AS "userId", sealed
      FROM (SELECT *, ${sql.ref(column.column)} AS sealed FROM ${sql.table(column.table)}) AS all_rows
      WHERE sealed IS NOT NULL AND ${which} ORDER BY 1, 2`.execute(database)
    for (const { row, userId, sealed } of rows) yield { place: { table: column.table, row, userId }, column, sealed }
  }
}

/** Writes new bytes in the place of those that were read; false when the row was changed or deleted meanwhile. */
export async function replaceSealed(database: Database, row: SealedRow, sealed: Buffer): Promise<boolean> {
  const { column, place } = row
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(column.table)} SET ${sql.ref(column.column)} = ${sealed}
    WHERE ${sql.ref(column.idColumn)} = ${place.row} AND user_id = ${place.userId}
      AND ${sql.ref(column.column)} = ${row.sealed}`.execute(database)
  return (numAffectedRows ?? 0n) > 0n
}

/** Condition for `sealedRows`: whatever is not sealed in today's layout with one of these keys. */
export const notSealedBy = (keyIds: readonly Buffer[]): RawBuilder<boolean> =>
  sql<boolean>`substring(sealed FROM 1 FOR 5) NOT IN (${sql.join(keyIds.map((id) => Buffer.concat([Buffer.of(2), id])))})`
