import { randomBytes } from 'node:crypto'
import { DAY } from '@tradewright/core/time'
import { createLog } from '../../log.ts'
import { StartupFailure } from '../../startup-failure.ts'
import { connectDatabase } from '../database.ts'
import { connectClient } from './connect-client.ts'
import { checkArchive, restoreBackup } from './restore-backup.ts'

const PREFIX = 'tradewright_restore_test_'

/**
 * Restores the tables of an archive into a new database of the same server, which goes after it, and compares the rows of
 * each table and the checksum of each file. Throws where something is missing.
 */
export async function testRestore(file: string, databaseUrl: string): Promise<string> {
  const archive = await checkArchive(file)
  await removeLeftOver(databaseUrl)
  const name = `${PREFIX}${Date.now()}_${randomBytes(6).toString('hex')}`
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  await administer(databaseUrl, `CREATE DATABASE ${name}`)
  try {
    const connection = connectDatabase(url.href, createLog({ logLevel: 'silent' }), 2)
    const client = await connection.pool.connect()
    try {
      await restoreBackup(archive, { database: connection.database, client, dataDir: undefined })
    } finally {
      client.release()
      await connection.close()
    }
  } finally {
    await administer(databaseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
  return 'Test restore: every row and every file is there.'
}

/** Databases of tests that were killed; one of the last day may be under way. */
async function removeLeftOver(databaseUrl: string): Promise<void> {
  const client = await connectClient(databaseUrl)
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname ~ $1`,
      [`^${PREFIX}[0-9]+_[0-9a-f]{12}$`],
    )
    const isOld = ({ name }: { name: string }) => Date.now() - Number(name.slice(PREFIX.length).split('_')[0]) > DAY
    for (const { name } of rows.filter(isOld)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  } finally {
    await client.end()
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = await connectClient(url)
  try {
    await client.query(statement)
  } catch (cause) {
    throw new StartupFailure(
      `The test restore needs a database of its own for a moment: ${(cause as Error).message}. Give the database user the right to create databases (ALTER ROLE … CREATEDB).`,
      { cause },
    )
  } finally {
    await client.end()
  }
}
