import { isBuiltIn } from '@tradewright/core/broker-catalogue'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { systemHttp } from '../adapters/http/http-client.ts'
import { connectedBrokers } from '../areas/brokers.ts'
import type { BrokerageAccount } from '../brokerage/account.ts'
import { createBrokerFor } from '../brokerage/broker-for.ts'
import type { AccountRows, BrokerFor } from '../brokerage/ports.ts'
import { type Config, loadDotEnv, readConfig } from '../config.ts'
import { compareRestored, type RestoredAccount } from '../live-trading/compare-restored.ts'
import { createDeploymentLog } from '../live-trading/deployment-log.ts'
import { createLog, type Logger } from '../log.ts'
import { secretFile, openSeal } from '../secrets/open-seal.ts'
import type { Seal } from '../secrets/seal.ts'
import { StartupFailure } from '../startup-failure.ts'
import { connectClient } from '../stores/backup/database-copy.ts'
import { type CheckedArchive, checkArchive, restoreBackup } from '../stores/backup/restore-backup.ts'
import { unsealSecret } from '../stores/backup/archive.ts'
import { appliedMigrations } from '../stores/backup/write-backup.ts'
import { createAccountRows } from '../stores/brokerage/brokerage-accounts.ts'
import { createCallAllowances } from '../stores/call-allowances.ts'
import { connectDatabase, type Database } from '../stores/database.ts'
import { heldAccounts, holdOrders, releaseOrders } from '../stores/live-trading/held-orders.ts'
import { createLiveDatabase } from '../stores/live-trading/live-database.ts'
import { migrations } from '../stores/migrate.ts'
import { systemClock } from '../system-clock.ts'
import { openCommandDatabase, openKnownDatabase } from './open-database.ts'
import { runCommand } from './run-command.ts'

const MAX_LISTED = 50

/**
 * `npm run restore -- --from file [--trade]`: fills an empty instance from an archive. `npm run restore -- --trade`: lets
 * one that was filled without it trade, once each account has been compared with its broker; `--compare` only compares.
 */
await runCommand(async () => {
  const { from, ...asked } = options()
  loadDotEnv()
  const config = readConfig(process.env)
  return from === undefined ? compareKnown(asked, config) : restore(from, asked, config)
})

interface Asked {
  readonly trade: boolean
  readonly compare: boolean
  /** Orders of deployments that the backup does not have are the account's own. */
  readonly acceptUnknown: boolean
}

async function restore(from: string, asked: Asked, config: Config): Promise<string> {
  const archive = await checkArchive(from)
  const secret = await secretOf(archive, config)
  const database = await openCommandDatabase(config)
  try {
    await database.lockExclusively()
    const connection = connectDatabase(database.url, createLog({ logLevel: 'error' }), 2)
    const client = await connectClient(database.url)
    let running = 0
    try {
      const beforeCommit = async () => {
        if (secret) writeSecret(secret, config)
        running = await holdOrders(client)
      }
      const target = { database: connection.database, client, dataDir: config.dataDir, beforeCommit }
      await restoreBackup(archive, target)
    } finally {
      await client.end()
      await connection.close()
    }
    const done = [summary(archive), secretNote(archive, config, secret)].filter(Boolean)
    if (!asked.trade && !asked.compare) return [...done, heldNote(running)].join('\n')
    return await compared(asked, config, database.url, done)
  } finally {
    await database.close()
  }
}

/** While it runs or not; on one machine for all that share the database. */
async function compareKnown(asked: Asked, config: Config): Promise<string> {
  const database = await openKnownDatabase(config)
  try {
    return await compared(asked, config, database.url, [])
  } finally {
    await database.close()
  }
}

/** Compares the accounts that are held back, and lets those trade that nothing stands against. */
async function compared(asked: Asked, config: Config, url: string, done: readonly string[]): Promise<string> {
  const log = createLog({ logLevel: 'error' })
  const connection = connectDatabase(url, log, 4)
  const client = await connectClient(url)
  const closing = new AbortController()
  try {
    await refuseOtherVersion(client)
    const { database, pool } = connection
    const accounts = createAccountRows(database)
    const found = await heldOf(client, accounts)
    const seal = found.some(({ isConnected }) => isConnected) ? await openSeal(config, database, log) : undefined
    const brokerFor = seal && brokersOf(config, { accounts, seal, pool, log, signal: closing.signal })
    const lines = [...done]
    const free: number[] = []
    for (const { accountId, userId, name, isConnected } of found) {
      const result = isConnected
        ? await compareRestored(liveDeps(database, brokerFor!, log), { accountId, userId }, asked.acceptUnknown)
        : undefined
      if (result) lines.push(...linesOf(`${name} (account ${accountId})`, result))
      if (result?.obstacle === undefined) free.push(accountId)
    }
    const released = asked.trade ? await releaseOrders(client, free) : undefined
    if (released !== undefined) lines.push(`${deployments(released)} that the restore held back may trade from now on.`)
    if (free.length < found.length) throw new StartupFailure([...lines, refusedNote()].join('\n'))
    return [...lines, ...(asked.trade && done.length > 0 ? [tradingNote()] : [])].join('\n')
  } finally {
    closing.abort()
    await client.end()
    await connection.close()
  }
}

/** The accounts that a restore holds back. Those that are built in came with the rows. */
async function heldOf(client: pg.ClientBase, accounts: AccountRows) {
  const held = await heldAccounts(client)
  return Promise.all(
    held.map(async ({ accountId, userId }) => {
      const account = await accounts.find(userId, accountId)
      const isConnected = account !== undefined && !isBuiltIn(account.broker)
      return { accountId, userId, name: account?.name ?? 'An account', isConnected }
    }),
  )
}

function liveDeps(database: Database, brokerFor: BrokerFor, log: Logger) {
  const stores = createLiveDatabase(database)
  const clock = systemClock
  return { database: stores, clock, log, brokerFor, deploymentLog: createDeploymentLog(stores.journal, clock, log) }
}

function linesOf(account: string, { adopted, obstacle }: RestoredAccount): string[] {
  const rest = adopted.length - MAX_LISTED
  return [
    `${account}: ${adopted.length} ${adopted.length === 1 ? 'order' : 'orders'} taken over from the broker.`,
    ...adopted.slice(0, MAX_LISTED).map((sentence) => `  ${sentence}`),
    ...(rest > 0 ? [`  ${rest} more are in the activity of its deployments.`] : []),
    ...(obstacle === undefined ? [] : [`  Not released: ${obstacle}`]),
  ]
}

/** The tables are read by this program's queries. */
async function refuseOtherVersion(client: pg.ClientBase): Promise<void> {
  const missing = Object.keys(migrations).length > (await appliedMigrations(client)).length
  if (missing)
    throw new StartupFailure('The database is of an earlier version: start the program once, then try again.')
}

interface BrokerNeeds {
  readonly accounts: AccountRows
  readonly seal: Seal
  readonly pool: pg.Pool
  readonly log: Logger
  readonly signal: AbortSignal
}

function brokersOf({ services }: Config, { accounts, seal, pool, log, signal }: BrokerNeeds) {
  const { alpacaPaper, alpacaLive, alpacaData, exchanges: exchangeUrls } = services
  const brokers = connectedBrokers({
    alpaca: { paper: alpacaPaper, live: alpacaLive },
    alpacaData,
    exchangeUrls,
    http: systemHttp(log, createCallAllowances(pool)),
    seal,
    signal,
  })
  const open = (account: BrokerageAccount) => {
    if (isBuiltIn(account.broker)) throw new Error('a built-in account has no broker to compare it with')
    return brokers[account.broker].open(account)
  }
  return createBrokerFor({ rows: accounts, open })
}

function options(): Asked & { from: string | undefined } {
  const usage =
    "npm run restore takes: -- --from file [--trade], or --trade alone to let a restored instance trade, or --compare to see what its brokers did meanwhile; with --accept-unknown, orders of deployments that the backup does not have are the account's own"
  try {
    const flag = { type: 'boolean' } as const
    const { values } = parseArgs({
      options: { from: { type: 'string' }, trade: flag, compare: flag, 'accept-unknown': flag },
    })
    const { from, trade = false, compare = false, 'accept-unknown': acceptUnknown = false } = values
    if (!from && (from !== undefined || !(trade || compare))) throw new StartupFailure(usage)
    return { from: from && resolve(process.env['INIT_CWD'] ?? process.cwd(), from), trade, compare, acceptUnknown }
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

function refusedNote(): string {
  return "What the list does not name stays held. If such an order is of a deployment that was made after the backup, let it be the account's own: npm run restore -- --trade --accept-unknown"
}

/** Two instances that trade for one account would each send its orders. */
function heldNote(running: number): string {
  return `Nothing is sent to brokers, from any machine: ${deployments(running)} that ran ${running === 1 ? 'waits' : 'wait'}. When the instance it comes from has stopped for good: npm run restore -- --trade`
}

function deployments(count: number): string {
  return `${count} ${count === 1 ? 'deployment' : 'deployments'}`
}
