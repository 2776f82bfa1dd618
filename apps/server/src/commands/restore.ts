import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, loadDotEnv, readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { secretFile } from '../secrets/app-secret.ts'
import { StartupFailure } from '../startup-failure.ts'
import { connectClient } from '../stores/backup/connect-client.ts'
import { type CheckedArchive, checkArchive, restoreBackup } from '../stores/backup/restore-backup.ts'
import { unsealSecret } from '../stores/backup/sealed-secret.ts'
import { connectDatabase } from '../stores/database.ts'
import { holdOrders, releaseOrders } from '../stores/live-trading/held-orders.ts'
import { openCommandDatabase, openKnownDatabase } from './open-database.ts'
import { runCommand } from './run-command.ts'

/**
 * `npm run restore -- --from file [--trade]`: fills an empty instance from an archive. `npm run restore -- --trade`: lets
 * one that was filled without it trade.
 */
await runCommand(async () => {
  const { from, trade } = options()
  loadDotEnv()
  const config = readConfig(process.env)
  return from === undefined ? letTrade(config) : restore(from, trade, config)
})

async function restore(from: string, trade: boolean, config: Config): Promise<string> {
  const archive = await checkArchive(from)
  const secret = await secretOf(archive, config)
  const database = await openCommandDatabase(config)
  try {
    await database.lockExclusively()
    const connection = connectDatabase(database.url, createLog({ logLevel: 'error' }), 2)
    const client = await connectClient(database.url)
    try {
      let running = 0
      const beforeCommit = async () => {
        if (secret) writeSecret(secret, config)
        running = await (trade ? releaseOrders(client) : holdOrders(client))
      }
      const target = { database: connection.database, client, dataDir: config.dataDir, beforeCommit }
      await restoreBackup(archive, target)
      const notes = [secretNote(archive, config, secret), trade ? tradingNote() : heldNote(running)]
      return [summary(archive), ...notes].filter(Boolean).join('\n')
    } finally {
      await client.end()
      await connection.close()
    }
  } finally {
    await database.close()
  }
}

/** While it runs or not; on one machine for all that share the database. */
async function letTrade(config: Config): Promise<string> {
  const database = await openKnownDatabase(config)
  try {
    const client = await connectClient(database.url)
    try {
      return `${deployments(await releaseOrders(client))} that the restore held back may trade from now on.`
    } finally {
      await client.end()
    }
  } finally {
    await database.close()
  }
}

function options(): { from: string | undefined; trade: boolean } {
  const usage = 'npm run restore takes: -- --from file [--trade], or --trade alone to let a restored instance trade'
  try {
    const { values } = parseArgs({ options: { from: { type: 'string' }, trade: { type: 'boolean' } } })
    const { from, trade = false } = values
    if (!from && (from !== undefined || !trade)) throw new StartupFailure(usage)
    return { from: from && resolve(process.env['INIT_CWD'] ?? process.cwd(), from), trade }
  } catch (cause) {
    throw cause instanceof StartupFailure ? cause : new StartupFailure(usage, { cause })
  }
}

/** The secret to be written; undefined where the settings or DATA_DIR have it, or the archive has none. */
async function secretOf({ secret }: CheckedArchive, config: Config): Promise<string | undefined> {
  if (!secret || config.appSecret !== undefined) return undefined
  const file = secretFile(config.dataDir)
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  if (config.backupPassphrase === undefined) {
    if (known !== undefined) return undefined
    throw new StartupFailure(
      'The archive has a sealed secret: set BACKUP_PASSPHRASE to open it, or APP_SECRET instead.',
    )
  }
  const unsealed = await unsealSecret(secret, config.backupPassphrase)
  if (known === undefined) return unsealed
  if (known === unsealed) return undefined
  throw new StartupFailure(
    `${file} is not the secret of the archive: keys of its users could not be opened. Set DATA_DIR to a new folder, or move this file away if nothing is sealed with it.`,
  )
}

/** Whole or not at all: one that was cut short would be taken for the secret at the next attempt. */
function writeSecret(secret: string, { dataDir }: Config): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = secretFile(dataDir)
  writeFileSync(`${file}.restored`, `${secret}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.restored`, file)
}

function summary({ header, manifest }: CheckedArchive): string {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
  return `Restored ${rows.toLocaleString('en-US')} rows of ${header.tables.length} tables and ${manifest.files.length} files as of ${header.createdAt} (Tradewright ${header.version}).`
}

function secretNote({ secret }: CheckedArchive, config: Config, written: string | undefined): string {
  if (written) return `The secret was restored to ${secretFile(config.dataDir)}.`
  if (secret || config.appSecret !== undefined || existsSync(secretFile(config.dataDir))) return ''
  return `The archive has no secret: put the file app-secret into ${config.dataDir}, or set APP_SECRET, before the start.`
}

/** Functions, as the command above runs before a constant below it has its value. */
function tradingNote(): string {
  return 'Deployments that were running continue at the start. The instance they come from must no longer be running.'
}

/** Two instances that trade for one account would each send its orders. */
function heldNote(running: number): string {
  return `Nothing is sent to brokers, from any machine: ${deployments(running)} that ran ${running === 1 ? 'waits' : 'wait'}. When the instance it comes from has stopped for good: npm run restore -- --trade`
}

function deployments(count: number): string {
  return `${count} ${count === 1 ? 'deployment' : 'deployments'}`
}
