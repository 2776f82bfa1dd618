import { startEmbeddedPostgres } from '../adapters/postgres/embedded-postgres.ts'
import { createInvitation } from '../auth/admission.ts'
import { type Config, loadDotEnv, readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { StartupFailure } from '../startup-failure.ts'
import { connectDatabase } from '../stores/database.ts'
import { createInvitationStore } from '../stores/auth/invitations.ts'
import { migrate } from '../stores/migrate.ts'
import { systemClock } from '../system-clock.ts'
import { runCommand } from './run-command.ts'

// Functions below, not constants: the command runs before the end of this file is reached.
const DEFAULT_DAYS = 7
const MAX_DAYS = 365

/** `npm run invite [days]`: prints a link that makes one account, while the program runs or not. */
await runCommand(async () => {
  const days = daysOf(process.argv[2])
  loadDotEnv()
  const config = readConfig(process.env)
  const server = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.dataDir)
  const connection = connectDatabase(config.databaseUrl ?? server!.url, createLog({ logLevel: 'error' }), 1)
  try {
    await migrate(connection.database)
    const invitations = createInvitationStore(connection.database)
    const { token, expiresAt } = await createInvitation({ invitations, clock: systemClock }, days)
    return [
      `${siteOf(config)}/register?invite=${token}`,
      `Works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.${hintFor(config)}`,
    ].join('\n')
  } finally {
    await connection.close()
    // A database that was running belongs to the program that runs.
    if (server && !server.adopted) await server.stop()
  }
})

function daysOf(text: string | undefined): number {
  const days = text === undefined ? DEFAULT_DAYS : Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days
  throw new StartupFailure(`npm run invite takes the days that the invitation lasts: 1 to ${MAX_DAYS}.`)
}

function siteOf({ appUrl, host, port }: Config): string {
  return appUrl ?? `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`
}

function hintFor({ registration }: Config): string {
  if (registration === 'invite') return ''
  return ` REGISTRATION is ${registration}: invitations are needed only with REGISTRATION=invite.`
}
