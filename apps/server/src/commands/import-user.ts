import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { StartupFailure } from '../startup-failure.ts'
import { createDataStoreRows } from '../stores/market-data/data-stores.ts'
import { type ImportSummary, importUser } from '../stores/user-import/import-user.ts'
import { readExport, type UserExport } from '../stores/user-import/imported-tables.ts'
import { findUserId, onInstance } from './open-instance.ts'
import { runCommand } from './run-command.ts'

/** `npm run import-user -- --from file --into username`: adds an export to an account, while the program runs or not. */
await runCommand(async () => {
  const { from, into } = options()
  return onInstance(async ({ config, database, seal }) => {
    const userId = await findUserId(database, into)
    const file = await readExport(from, config.backupPassphrase)
    const systemStore = await createDataStoreRows(database, async () => {}).systemStore(userId)
    const summary = await importUser({ database, seal, userId, systemStoreId: systemStore.id }, file)
    return lines(into, file, summary).join('\n')
  })
})

function options(): { from: string; into: string } {
  const usage = 'npm run import-user takes: -- --from file --into username'
  try {
    const { values } = parseArgs({ options: { from: { type: 'string' }, into: { type: 'string' } } })
    if (!values.from || !values.into) throw new StartupFailure(usage)
    return { from: resolve(process.env['INIT_CWD'] ?? process.cwd(), values.from), into: values.into }
  } catch (cause) {
    throw cause instanceof StartupFailure ? cause : new StartupFailure(usage, { cause })
  }
}

function lines(
  into: string,
  { hasSealedSecrets, secrets }: UserExport,
  { added, known, leftOut }: ImportSummary,
): string[] {
  const rows = Object.values(added).reduce((sum, count) => sum + count, 0)
  const keys = hasSealedSecrets
    ? 'The file has sealed keys: set BACKUP_PASSPHRASE to bring them as well. Without it, they have to be entered again.'
    : 'The file has no keys and passwords: they have to be entered again.'
  return [
    `Added ${rows.toLocaleString('en-US')} rows of ${Object.keys(added).length} tables to "${into}".`,
    ...(known > 0 ? [`${known.toLocaleString('en-US')} rows were already imported earlier.`] : []),
    ...leftOut.map((line) => `Left out: ${line}`),
    ...(rows > 0 && added['deployments']
      ? ['Deployments have arrived stopped, and collection jobs without a schedule.']
      : []),
    ...(rows > 0 && !secrets ? [keys] : []),
  ]
}
