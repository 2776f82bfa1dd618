import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, loadDotEnv, readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { secretFile } from '../secrets/app-secret.ts'
import { StartupFailure } from '../startup-failure.ts'
import { connectClient } from '../stores/backup/connect-client.ts'
import { type CheckedArchive, checkArchive, restoreBackup } from '../stores/backup/restore-backup.ts'
import { unsealSecret } from '../stores/backup/sealed-secret.ts'
import { connectDatabase } from '../stores/database.ts'
import { openCommandDatabase } from './open-database.ts'
import { runCommand } from './run-command.ts'

/** `npm run restore -- --from file [--trade]`: fills an empty instance from an archive. */
await runCommand(async () => {
  const { from, trade } = options()
  loadDotEnv()
  const config = readConfig(process.env)
  const archive = await checkArchive(from)
  const secret = await secretOf(archive, config)
  const database = await openCommandDatabase(config)
  try {
    if (await database.isInUse()) throw new StartupFailure('Stop every web process and worker of this instance first.')
    const connection = connectDatabase(database.url, createLog({ logLevel: 'error' }), 2)
    const client = await connectClient(database.url)
    try {
      await restoreBackup(archive, { database: connection.database, client, dataDir: config.dataDir })
    } finally {
      await client.end()
      await connection.close()
    }
    if (secret) writeFileSync(secretFile(config.dataDir), `${secret}\n`, { mode: 0o600, flush: true, flag: 'wx' })
    return [summary(archive), secretNote(archive, config, secret), trade ? tradingNote : holdOrders(config)]
      .filter(Boolean)
      .join('\n')
  } finally {
    await database.close()
  }
})

function options(): { from: string; trade: boolean } {
  const usage = 'npm run restore takes: -- --from file [--trade]'
  try {
    const { values } = parseArgs({ options: { from: { type: 'string' }, trade: { type: 'boolean' } } })
    if (!values.from) throw new StartupFailure(usage)
    return { from: resolve(process.env['INIT_CWD'] ?? process.cwd(), values.from), trade: values.trade ?? false }
  } catch (cause) {
    throw cause instanceof StartupFailure ? cause : new StartupFailure(usage, { cause })
  }
}

/** The secret to be written; undefined where the settings or DATA_DIR have one, or the archive has none. */
async function secretOf({ secret }: CheckedArchive, config: Config): Promise<string | undefined> {
  if (!secret || config.appSecret !== undefined || existsSync(secretFile(config.dataDir))) return undefined
  if (config.backupPassphrase === undefined) {
    throw new StartupFailure(
      'The archive has a sealed secret: set BACKUP_PASSPHRASE to open it, or APP_SECRET instead.',
    )
  }
  return unsealSecret(secret, config.backupPassphrase)
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

const tradingNote =
  'Deployments that were running continue at the start. The instance they come from must no longer run.'

/** Two instances that trade for one account would each send its orders. */
function holdOrders({ dataDir }: Config): string {
  const file = join(dataDir, 'emergency-stop', 'all')
  mkdirSync(join(dataDir, 'emergency-stop'), { recursive: true, mode: 0o700 })
  writeFileSync(file, '')
  return `No order leaves this machine until you remove ${file}. Do that when the instance it comes from has stopped for good.`
}
