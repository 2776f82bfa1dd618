import type { Clock } from '@tradewright/core/clock'
import type { FastifyInstance } from 'fastify'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { connectNotifications } from '../src/adapters/postgres/notifications.ts'
import { readConfig } from '../src/config.ts'
import { argon2Hasher } from '../src/adapters/argon2/password-hasher.ts'
import type { PasswordHasher } from '../src/auth/ports.ts'
import type { Foundation } from '../src/foundation.ts'
import { createLog, type Logger } from '../src/log.ts'
import { createSeal } from '../src/secrets/seal.ts'
import { buildServer } from '../src/server.ts'
import { systemClock } from '../src/system-clock.ts'
import { exchangesAt, NOWHERE, providersAt } from './providers-at.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

interface TestAppSettings {
  /** A database that exists already: for a second process, or the same one after a restart. It stays open. */
  database?: TestDatabase
  /** Settings as an operator would write them. */
  environment?: Record<string, string>
  clock?: Clock
  passwordHasher?: PasswordHasher
  log?: Logger
  webFolder?: string
}

/** The real hasher at a hundredth of the work: the product's parameters take 25 ms of processor time a password. */
const quickHasher = argon2Hasher({ memoryCost: 64, timeCost: 1, parallelism: 1 })

/** A server that a test may call, and may not end. */
export interface TestServer {
  app: FastifyInstance
  database: TestDatabase
  foundation: Foundation
  dataDir: string
  /** Where it listens on loopback; it begins to when it is first asked. */
  address(): Promise<string>
}

export interface TestApp extends TestServer {
  close(): Promise<void>
}

let shared: Promise<TestServer> | undefined

/**
 * The server of this process, for tests that need no setting, no clock and no database of their own: a server, its
 * database and its first backtest take 3 s of processor time. It reaches no provider. Other files have used it before,
 * so that a test registers users of its own, and counts nothing that others may add to.
 */
export const sharedTestApp = (): Promise<TestServer> =>
  (shared ??= createTestApp({ environment: { DATA_DIR: sharedDataDir(), ...providersAt(NOWHERE) } }))

/** It outlives its test files; the folder of the run goes when the run ends. */
const sharedDataDir = (): string => mkdtempSync(join(inject('runFolder'), 'shared-'))

/** The whole server, every route of it, on a real database; calls go through `app.inject`. */
export async function createTestApp(settings: TestAppSettings = {}): Promise<TestApp> {
  const database = settings.database ?? (await createTestDatabase())
  const given = settings.environment?.['DATA_DIR']
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'tradewright-app-'))
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    EXCHANGE_URLS: exchangesAt(),
    // A test calls as fast as it can.
    MAX_CALLS_PER_MINUTE: '1000000',
    MAX_THREAD_PCT_PER_USER: '100',
    ...settings.environment,
  })
  const log = settings.log ?? createLog(config)
  const foundation = await testFoundation(database, log)
  const app = await buildServer({
    config,
    foundation,
    log,
    clock: settings.clock ?? systemClock,
    passwordHasher: settings.passwordHasher ?? quickHasher,
    ...(settings.webFolder !== undefined && { webFolder: settings.webFolder }),
  })
  let listening: Promise<string> | undefined
  return {
    app,
    database,
    foundation,
    dataDir,
    address: () => (listening ??= app.listen({ port: 0, host: '127.0.0.1' })),
    async close() {
      await app.close()
      await foundation.close()
      if (!settings.database) await database.close()
      if (given === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function testFoundation(connection: TestDatabase, log: Logger): Promise<Foundation> {
  const { database, pool, url: databaseUrl } = connection
  const notifications = await connectNotifications(databaseUrl, pool, log)
  const seal = createSeal('a secret that only tests know')
  return { databaseUrl, database, pool, notifications, seal, close: () => notifications.close() }
}
