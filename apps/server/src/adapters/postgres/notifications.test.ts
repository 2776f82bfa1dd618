import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { createLog } from '../../log.ts'
import { connectNotifications } from './notifications.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

async function connect() {
  const notifications = await connectNotifications(test.url, test.pool, createLog({ logLevel: 'silent' }))
  onTestFinished(() => notifications.close())
  return notifications
}

describe('notifications between processes', () => {
  it('reach every listener of the channel and no other', async () => {
    const [sender, receiver] = [await connect(), await connect()]
    const heard: string[] = []
    await receiver.listen('prices', (payload) => heard.push(payload))
    await receiver.listen('others', (payload) => heard.push(`wrong: ${payload}`))
    await sender.publish('prices', 'first')
    await sender.publish('prices', 'second')
    await expect.poll(() => heard).toEqual(['first', 'second'])
  })

  it('tell their listeners of a gap after the connection broke, and go on', async () => {
    const notifications = await connect()
    const heard: string[] = []
    await notifications.listen(
      'prices',
      (payload) => heard.push(payload),
      () => heard.push('gap'),
    )
    await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'tradewright notifications' AND datname = current_database()`.execute(test.database)
    await expect.poll(() => heard).toContain('gap')
    await notifications.publish('prices', 'after')
    await expect.poll(() => heard).toEqual(['gap', 'after'])
  })
})
