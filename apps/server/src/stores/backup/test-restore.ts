import { randomBytes } from 'node:crypto'
import { createLog } from '../../log.ts'
import { StartupFailure } from '../../startup-failure.ts'
import { connectDatabase } from '../database.ts'
import { connectClient } from './connect-client.ts'
import { checkArchive, restoreBackup } from './restore-backup.ts'

/**
 * Restores the tables of an archive into a new database of the same server, which goes after it, and compares the rows of
 * each table and the checksum of each file. Throws where something is missing.
 */
export async function testRestore(file: string, databaseUrl: string): Promise<string> {
  const archive = await checkArchive(file)
  const name = `tradewright_restore_test_${randomBytes(6).toString('hex')}`
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
