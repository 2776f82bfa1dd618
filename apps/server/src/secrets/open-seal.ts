import { sql } from 'kysely'
import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { StartupFailure } from '../startup-failure.ts'
import type { Database } from '../stores/database.ts'
import { appSecret, hasSecret, nextSecretFile, readSecret, secretFile } from './app-secret.ts'
import { createSeal, keyIdOf, openBeforeRows, type Seal, sealedBy, Unreadable } from './seal.ts'
import { notSealedBy, replaceSealed, type SealedRow, sealedRows } from './sealed-columns.ts'

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
