import { ACCOUNT_ACTION_IDS, ACCOUNT_ACTIONS, type AccountAction } from '@tradewright/core/account-actions'
import { Problem } from '@tradewright/core/problem'
import { parseArgs } from 'node:util'
import { argon2Hasher } from '../adapters/argon2/password-hasher.ts'
import { smtpMailer } from '../adapters/smtp/mailer.ts'
import { userFilesOf } from '../areas/market-data.ts'
import { actOnAccount } from '../auth/account-actions.ts'
import { createSecurityLog } from '../auth/security-log.ts'
import { createLog } from '../log.ts'
import { StartupFailure } from '../startup-failure.ts'
import { createAccountStateStore } from '../stores/auth/account-states.ts'
import { createApiKeyStore } from '../stores/auth/api-keys.ts'
import { createAttemptCounters } from '../stores/auth/attempt-counters.ts'
import { createEmailVerificationStore } from '../stores/auth/email-verifications.ts'
import { createGoogleFlowStore } from '../stores/auth/google-flows.ts'
import { createKnownPlaceStore } from '../stores/auth/known-places.ts'
import { createSecondFactorStore } from '../stores/auth/second-factors.ts'
import { createSecurityEventStore } from '../stores/auth/security-events.ts'
import { createSessionStore } from '../stores/auth/sessions.ts'
import { createUserStore } from '../stores/auth/users.ts'
import { systemClock } from '../system-clock.ts'
import { findUserId, onInstance } from './open-instance.ts'
import { runCommand } from './run-command.ts'

/** `npm run account -- action --user name`: the operator's actions, while the program runs or not. */
await runCommand(async () => {
  const { action, user } = options()
  return onInstance(async ({ config, database, pool, seal }) => {
    const userId = await findUserId(database, user)
    const users = createUserStore(database)
    const counters = createAttemptCounters(database)
    const clock = systemClock
    const mailer = smtpMailer({ url: config.smtpUrl, from: config.mailFrom })
    const log = createLog({ logLevel: 'error' })
    const deps = {
      users,
      accounts: createAccountStateStore(database),
      sessionStore: createSessionStore(database),
      apiKeys: createApiKeyStore(database),
      factors: createSecondFactorStore(database, seal),
      places: createKnownPlaceStore(database),
      googleFlows: createGoogleFlowStore(database),
      verifications: createEmailVerificationStore(database),
      hasher: argon2Hasher(),
      files: userFilesOf(config, { database, pool }, clock, log),
      securityLog: createSecurityLog({
        events: createSecurityEventStore(database),
        users,
        mailer,
        counters,
        clock,
        log,
      }),
      clock,
    }
    try {
      const password = await actOnAccount(deps, userId, action)
      const { done, effect } = ACCOUNT_ACTIONS.find(({ id }) => id === action)!
      return [`"${user}" ${done}. ${effect}`, ...(password === null ? [] : [`New password: ${password}`])].join('\n')
    } catch (error) {
      throw error instanceof Problem ? new StartupFailure(error.message) : error
    } finally {
      mailer.close()
    }
  })
})

function options(): { action: AccountAction; user: string } {
  const usage = `npm run account takes: -- ${ACCOUNT_ACTION_IDS.join('|')} --user name`
  try {
    const { values, positionals } = parseArgs({ options: { user: { type: 'string' } }, allowPositionals: true })
    const action = ACCOUNT_ACTION_IDS.find((id) => id === positionals[0])
    if (action && values.user !== undefined) return { action, user: values.user }
  } catch {
    // Said below.
  }
  throw new StartupFailure(usage)
}
