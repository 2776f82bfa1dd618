import { sql } from 'kysely'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { createTestUser } from '../../test-support/test-user.ts'
import { createLog } from '../log.ts'
import {
  appSecret,
  nextSecretFile,
  secretFile,
  openSeal,
  type SecretConfig,
  SEALED_COLUMNS,
  sealedRows,
} from './open-seal.ts'
import { rotateSecret } from './rotate-secret.ts'
import { createSeal, type Seal } from './seal.ts'
import { sealedBeforeRows } from '../../test-support/sealed-before-rows.ts'

const log = createLog({ logLevel: 'silent' })
const ROWS = 8
let test: TestDatabase
let dataDir: string
let userId: number
beforeEach(async () => {
  test = await createTestDatabase()
  dataDir = temporaryFolder()
  userId = await createTestUser(test.database, 'ann')
})
afterEach(() => test.close())

const config = (more: Partial<SecretConfig> = {}): SecretConfig => ({
  appSecret: undefined,
  newAppSecret: undefined,
  unreadableSecrets: 'stop',
  dataDir,
  ...more,
})
const open = (more: Partial<SecretConfig> = {}) => openSeal(config(more), test.database, log)

/** One secret in each sealed column, and some more data stores. */
async function storeSecrets(sealed: (column: string, row: number | string) => Buffer): Promise<void> {
  const { database } = test
  const at = new Date()
  const account = await sql<{ id: number }>`
    INSERT INTO brokerage_accounts (user_id, name, broker, is_paper, is_default, sealed_keys, status, created_at)
    VALUES (${userId}, 'Live', 'alpaca', false, true, ''::bytea, 'verified', ${at}) RETURNING id`.execute(database)
  const { id } = account.rows[0]!
  await sql`UPDATE brokerage_accounts SET sealed_keys = ${sealed('brokerage_accounts', id)}`.execute(database)
  for (let index = 0; index < ROWS - 3; index++) {
    const store = await sql<{ id: number }>`
      INSERT INTO data_stores (user_id, name, store_type, is_system, is_default, default_format, partition_strategy,
                               compression, connection_config, created_at)
      VALUES (${userId}, ${`Store ${index}`}, 's3', false, false, 'parquet', 'none', 'snappy', '{}', ${at})
      RETURNING id`.execute(database)
    const row = store.rows[0]!.id
    await sql`
      UPDATE data_stores SET sealed_secrets = ${sealed('data_stores', row)} WHERE id = ${row}`.execute(database)
  }
  await sql`
    INSERT INTO custom_providers (user_id, provider_id, definition, sealed_key, created_at)
    VALUES (${userId}, 'own', '{}', ${sealed('custom_providers', 'own')}, ${at})`.execute(database)
  await sql`
    INSERT INTO openai_connections (user_id, model, sealed_key, created_at)
    VALUES (${userId}, 'm', ${sealed('openai_connections', userId)}, ${at})`.execute(database)
}

const storeWith = (seal: Seal) => storeSecrets((table, row) => seal.seal({ table, row, userId }, `${table} ${row}`))

async function opened(seal: Seal): Promise<string[]> {
  const texts: string[] = []
  for await (const { place, sealed } of sealedRows(test.database, sql<boolean>`true`)) {
    expect(seal.open(place, sealed)).toBe(`${place.table} ${place.row}`)
    texts.push(place.table)
  }
  return texts
}

it('knows every column that holds sealed bytes', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name LIKE 'sealed%'`.execute(test.database)
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name).sort()).toEqual(known.sort())
})

describe('a rotation', () => {
  it('seals everything with a new file, and the old secret no longer opens anything', async () => {
    await storeWith(await open())
    const before = appSecret(undefined, dataDir)
    expect(await rotateSecret(test, config())).toMatchObject({ resealed: ROWS, unreadable: 0 })
    expect(appSecret(undefined, dataDir)).not.toBe(before)
    expect(existsSync(nextSecretFile(dataDir))).toBe(false)
    expect(await opened(await open())).toHaveLength(ROWS)
    await expect(opened(createSeal(before))).rejects.toThrow()
  })

  it('changes APP_SECRET to NEW_APP_SECRET', async () => {
    const [before, after] = ['the secret before it', 'the secret after that']
    await storeWith(await open({ appSecret: before }))
    await expect(rotateSecret(test, config({ appSecret: before }))).rejects.toThrow('set NEW_APP_SECRET')
    const outcome = await rotateSecret(test, config({ appSecret: before, newAppSecret: after }))
    expect(outcome).toMatchObject({ resealed: ROWS, next: expect.stringContaining('Now set APP_SECRET') })
    expect(await opened(await open({ appSecret: after }))).toHaveLength(ROWS)
  })

  it('goes on after it was killed at any row, and the program works in between', async () => {
    await storeWith(await open())
    let resealed = 0
    for (let run = 0; ; run++) {
      let rows = 0
      const killedAtSecondRow = () => {
        resealed += 1
        rows += 1
        if (rows === 2) throw new Error('killed')
      }
      const ended = await rotateSecret({ ...test, onRow: killedAtSecondRow }, config()).catch((error: Error) => error)
      expect(await opened(await open())).toHaveLength(ROWS)
      if (!(ended instanceof Error)) break
      expect(run).toBeLessThan(ROWS)
    }
    expect(resealed).toBe(ROWS)
    expect(existsSync(nextSecretFile(dataDir))).toBe(false)
    // Nothing is sealed with the secret before.
    const now = createSeal(readFileSync(secretFile(dataDir), 'utf8').trim())
    expect(await opened(now)).toHaveLength(ROWS)
  })

  it('with APP_SECRET that was killed is finished with the same secrets', async () => {
    const secrets = { appSecret: 'the secret before it', newAppSecret: 'the secret after that' }
    await storeWith(await open(secrets))
    const killed = () => {
      throw new Error('killed')
    }
    await expect(rotateSecret({ ...test, onRow: killed }, config(secrets))).rejects.toThrow('killed')
    expect(await opened(await open(secrets))).toHaveLength(ROWS)
    await expect(open({ appSecret: secrets.appSecret })).rejects.toThrow(/1 stored key or password .* run it again/)
    expect(await rotateSecret(test, config(secrets))).toMatchObject({ resealed: ROWS - 1 })
  })
})

describe('the start', () => {
  it('seals rows of the layout before anew', async () => {
    const secret = appSecret(undefined, dataDir)
    const purposeOf = new Map(SEALED_COLUMNS.map(({ table, purposeBeforeRows }) => [table, purposeBeforeRows(userId)]))
    await storeSecrets((table, row) => sealedBeforeRows(secret, purposeOf.get(table)!, `${table} ${row}`))
    expect(await opened(await open())).toHaveLength(ROWS)
  })

  it('stops when the secret is missing, and makes no other one', async () => {
    await storeWith(createSeal('a secret that was lost'))
    await expect(open()).rejects.toThrow(
      /is missing: there is no .*app-secret and no APP_SECRET. Restore it from a backup, or start with UNREADABLE_SECRETS=ask/,
    )
    expect(existsSync(secretFile(dataDir))).toBe(false)
  })

  it('stops when the secret is another one, and says how to go on', async () => {
    await storeWith(createSeal('a secret that was lost'))
    writeFileSync(secretFile(dataDir), 'the wrong secret, long enough')
    await expect(open()).rejects.toThrow(/8 stored keys and passwords of users cannot be opened with .*app-secret/)
    await expect(open({ appSecret: 'another wrong secret' })).rejects.toThrow('cannot be opened with APP_SECRET')
    const seal = await open({ unreadableSecrets: 'ask' })
    await expect(opened(seal)).rejects.toThrow('sealed with another secret')
  })

  it('makes a secret where nothing is stored', async () => {
    await open()
    expect(existsSync(secretFile(dataDir))).toBe(true)
  })
})
