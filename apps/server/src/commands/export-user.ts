import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { exportUserData } from '../auth/export-user-data.ts'
import type { Seal } from '../secrets/seal.ts'
import { sealedRows } from '../secrets/open-seal.ts'
import { StartupFailure } from '../startup-failure.ts'
import { sealSecret } from '../stores/backup/archive.ts'
import type { Database } from '../stores/database.ts'
import { newestMigration } from '../stores/migrate.ts'
import { createUserRows } from '../stores/auth/user-rows.ts'
import { systemClock } from '../system-clock.ts'
import { findUserId, onInstance } from './open-instance.ts'
import { runCommand } from './run-command.ts'

/** `npm run export-user -- --user name --to file [--secrets]`: one user's data, for `npm run import-user` elsewhere. */
await runCommand(async () => {
  const { user, to, secrets: hasSecrets } = options()
  return onInstance(async ({ config, database, seal }) => {
    const { backupPassphrase: passphrase } = config
    if (hasSecrets && passphrase === undefined) {
      throw new StartupFailure('Set BACKUP_PASSPHRASE: it seals the keys in the file, and opens them at the import.')
    }
    const userId = await findUserId(database, user)
    const secrets = hasSecrets
      ? await sealSecret(JSON.stringify(await secretsOf(database, seal, userId)), passphrase!)
      : undefined
    const parts = { rows: createUserRows(database), clock: systemClock, schema: newestMigration, secrets }
    const scratch = `${to}.part`
    await pipeline(
      Readable.from(exportUserData(parts, userId)),
      createWriteStream(scratch, { mode: 0o600, flush: true }),
    )
    await rename(scratch, to)
    return `Exported the data of "${user}"${hasSecrets ? ', with their keys sealed' : ', without their keys'}: ${to}`
  })
})

function options(): { user: string; to: string; secrets: boolean } {
  const usage = 'npm run export-user takes: -- --user name --to file [--secrets]'
  try {
    const { values } = parseArgs({
      options: { user: { type: 'string' }, to: { type: 'string' }, secrets: { type: 'boolean' } },
    })
    if (!values.user || !values.to) throw new StartupFailure(usage)
    const to = resolve(process.env['INIT_CWD'] ?? process.cwd(), values.to)
    return { user: values.user, to, secrets: values.secrets ?? false }
  } catch (cause) {
    throw cause instanceof StartupFailure ? cause : new StartupFailure(usage, { cause })
  }
}

/** By table, then by the row's id. */
async function secretsOf(
  database: Database,
  seal: Seal,
  userId: number,
): Promise<Record<string, Record<string, string>>> {
  const found: Record<string, Record<string, string>> = {}
  for await (const { place, sealed } of sealedRows(database, sql<boolean>`user_id = ${userId}`)) {
    ;(found[place.table] ??= {})[String(place.row)] = seal.open(place, sealed)
  }
  return found
}
