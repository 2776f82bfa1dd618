import type pg from 'pg'
import { loadDotEnv, readConfig } from '../config.ts'
import { openFoundation } from '../foundation.ts'
import { createLog } from '../log.ts'
import { rotateSecret } from '../secrets/rotate-secret.ts'
import { StartupFailure } from '../startup-failure.ts'
import { runCommand } from './run-command.ts'

/** `npm run rotate-secret`: seals every stored key and password of users with a new secret. */
await runCommand(async () => {
  loadDotEnv()
  const config = readConfig(process.env)
  const foundation = await openFoundation(config, createLog({ logLevel: 'error' }))
  try {
    await refuseWhileRunning(foundation.pool)
    const { resealed, unreadable, next } = await rotateSecret(foundation, config)
    const left = unreadable === 0 ? '' : ` ${unreadable} could not be opened and stay as they are.`
    return `Sealed ${resealed} stored keys and passwords with the new secret.${left}\n${next}`
  } finally {
    await foundation.close()
  }
})

/** A program that runs knows the old secret only. Each process has one connection for messages, this command too. */
async function refuseWhileRunning(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ processes: number }>(
    `SELECT count(*) AS processes FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'tradewright notifications'`,
  )
  if ((rows[0]?.processes ?? 0) > 1) {
    throw new StartupFailure('Stop every web process and worker of this database first.')
  }
}
