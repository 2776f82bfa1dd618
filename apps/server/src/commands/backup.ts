import { resolve } from 'node:path'
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { type Config, loadDotEnv, readConfig } from '../config.ts'
import { programVersion } from '../program-version.ts'
import { appSecret, hasSecret } from '../secrets/open-seal.ts'
import { StartupFailure } from '../startup-failure.ts'
import type { Manifest } from '../stores/backup/archive.ts'
import { connectClient } from '../stores/backup/database-copy.ts'
import { testRestore } from '../stores/backup/restore-backup.ts'
import { writeBackup } from '../stores/backup/write-backup.ts'
import { systemClock } from '../system-clock.ts'
import { openKnownDatabase } from './open-database.ts'
import { runCommand } from './run-command.ts'

/** `npm run backup -- --to file [--secrets] [--test]`: one archive of everything, while the program runs or not. */
await runCommand(async () => {
  const { to, secrets, test } = options()
  loadDotEnv()
  const config = readConfig(process.env)
  const secret = secrets ? secretOf(config) : undefined
  const database = await openKnownDatabase(config)
  try {
    const client = await connectClient(database.url)
    const request = {
      client,
      to,
      version: programVersion,
      createdAt: systemClock.now(),
      dataDir: config.dataDir,
      secret,
    }
    const manifest = await writeAndEnd(request)
    const lines = [await summary(to, manifest), ...notes(config, manifest, secrets)]
    if (test) lines.push(await testRestore(to, database.url))
    return lines.join('\n')
  } finally {
    await database.close()
  }
})

async function writeAndEnd(request: Parameters<typeof writeBackup>[0] & { client: pg.Client }): Promise<Manifest> {
  try {
    return await writeBackup(request)
  } finally {
    await request.client.end()
  }
}

function options(): { to: string; secrets: boolean; test: boolean } {
  const usage = 'npm run backup takes: -- --to file [--secrets] [--test]'
  try {
    const { values } = parseArgs({
      options: { to: { type: 'string' }, secrets: { type: 'boolean' }, test: { type: 'boolean' } },
    })
    if (!values.to) throw new StartupFailure(usage)
    // npm changes to the project's folder; the path is meant from the one in which the command was typed.
    const to = resolve(process.env['INIT_CWD'] ?? process.cwd(), values.to)
    return { to, secrets: values.secrets ?? false, test: values.test ?? false }
  } catch (cause) {
    throw cause instanceof StartupFailure ? cause : new StartupFailure(usage, { cause })
  }
}

function secretOf(config: Config) {
  const { backupPassphrase: passphrase } = config
  if (passphrase === undefined) {
    throw new StartupFailure('Set BACKUP_PASSPHRASE: it seals the secret in the archive, and opens it at the restore.')
  }
  if (!hasSecret(config.appSecret, config.dataDir)) {
    throw new StartupFailure('There is no secret yet: start the program once.')
  }
  return { value: appSecret(config.appSecret, config.dataDir), passphrase }
}

async function summary(file: string, { tables, files }: Manifest): Promise<string> {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const megabytes = ((await stat(file)).size / 1e6).toFixed(1)
  const series = files.filter(({ path }) => path.endsWith('.parquet')).length
  const count = (value: number) => value.toLocaleString('en-US')
  return `Backed up ${count(rows)} rows of ${Object.keys(tables).length} tables and ${count(series)} series files: ${file} (${megabytes} MB).`
}

function notes(config: Config, { filesElsewhere }: Manifest, hasSecrets: boolean): string[] {
  return [
    ...(filesElsewhere > 0
      ? [`${filesElsewhere} series files are on other machines of this database. Back up there, too.`]
      : []),
    ...(hasSecrets
      ? []
      : [
          `The secret that decrypts users' keys is not in it: keep ${config.appSecret ? 'APP_SECRET' : 'the file app-secret of DATA_DIR'} as well, or use --secrets.`,
        ]),
  ]
}
