import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { createTestApp } from '../../../test-support/test-app.ts'
import { createTestDatabase } from '../../../test-support/test-database.ts'
import { headersOf, signIn, credentialsOf } from '../../../test-support/visitor.ts'
import { projectFolder } from '../../config.ts'
import { checkArchive, restoreBackup } from './restore-backup.ts'

/** Backups of instances with one of everything, each by the program of its time; see fixtures/upgrade/README.md. */
const archives = globSync('fixtures/upgrade/*.tar.gz', { cwd: projectFolder }).map((file) => basename(file))

it('has a database of an earlier program', () => expect(archives).not.toEqual([]))

it.each(archives)('brings the tables and the data of %s to the newest version', async (file) => {
  const database = await createTestDatabase()
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const archive = await checkArchive(join(projectFolder, 'fixtures/upgrade', file))
  const client = await database.pool.connect()
  const dataDir = temporaryFolder()
  await restoreBackup(archive, { database: database.database, client, dataDir }).finally(() => client.release())
  const server = await createTestApp({ database, environment: { DATA_DIR: dataDir } })
  onTestFinished(async () => {
    await server.close()
    await database.close()
  })

  const signedIn = await signIn(server, 'canary-owner-user', 'secret-password-owner')
  expect(signedIn.statusCode).toBe(200)
  const headers = headersOf({ cookie: credentialsOf(signedIn).cookie })
  const get = async (url: string) => {
    const answer = await server.app.inject({ method: 'GET', url, headers })
    expect([url, answer.statusCode]).toEqual([url, 200])
    return answer.body
  }
  for (const url of ['/api/strategies', '/api/backtests/all', '/api/alpaca/accounts', '/api/deployment/list']) {
    expect(await get(url), url).toContain('canary-owner')
  }
  for (const url of ['/api/ticker-lists', '/api/data-collector/jobs', '/api/data-stores', '/api/alerts']) {
    expect(await get(url), url).toContain('canary-owner')
  }
  const payload = { tickers: ['CANARY-OWNER'] }
  const browsed = await server.app.inject({ method: 'POST', url: '/api/data-collector/data/browse', headers, payload })
  expect(browsed.json<{ records: { value: number }[] }>().records.map(({ value }) => value)).toEqual([101, 100])
})
