import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { startOpenAiStandIn } from '../../../test-support/stand-ins/openai.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { createSeal } from '../../secrets/seal.ts'

/** Keys and passwords that were sealed with a secret that is lost: shown as "enter again", never a failure of ours. */
let server: TestApp
let openAi: Awaited<ReturnType<typeof startOpenAiStandIn>>
let user: Caller
beforeAll(async () => {
  openAi = await startOpenAiStandIn()
  const environment = {
    ALPACA_PAPER_URL: 'http://127.0.0.1:1',
    ALLOW_PRIVATE_STORES: 'on',
    OPENAI_BASE_URL: openAi.baseUrl,
  }
  server = await createTestApp({ environment })
  user = await caller(server)
  const made = [
    await user.post('/api/data-stores', store),
    await user.post('/api/alpaca/accounts', { account_name: 'Live', api_key: 'PK1', api_secret: 's' }),
    await user.post('/api/openai/connect', { api_key: 'sk-test' }),
  ]
  expect(made.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  await loseSecrets()
})
afterAll(async () => {
  await server.close()
  await openAi.close()
})

const connection_config = { host: '127.0.0.1', port: 1, database: 'd', username: 'u', password: 'p' }
const store = { name: 'Archive', store_type: 'postgresql', connection_config }

async function loseSecrets(): Promise<void> {
  const bytes = createSeal('a secret that was lost').seal({ table: 'any', row: 1, userId: 1 }, 'anything')
  const { pool } = server.database
  await pool.query('UPDATE data_stores SET sealed_secrets = $1 WHERE sealed_secrets IS NOT NULL', [bytes])
  await pool.query('UPDATE brokerage_accounts SET sealed_keys = $1 WHERE sealed_keys IS NOT NULL', [bytes])
  await pool.query('UPDATE openai_connections SET sealed_key = $1', [bytes])
}

describe('a data store', () => {
  const listed = async () =>
    (await user.get('/api/data-stores')).json<{ data_stores: { id: number; name: string }[] }>().data_stores
  const archive = async () => (await listed()).find(({ name }) => name === 'Archive')

  it('is listed as "enter again", and says so when it is used', async () => {
    expect(await archive()).toMatchObject({ enter_again: true, stored_secrets: [] })
    const { id } = (await archive())!
    const used = await user.post(`/api/data-collector/data-stores/${id}/clear`)
    expect([used.statusCode, used.json<{ code: string }>().code]).toEqual([409, 'store.unreadable-secrets'])
  })

  it('takes the password again, and can be deleted', async () => {
    const { id } = (await archive())!
    const { password: _, ...open } = connection_config
    expect((await user.put(`/api/data-stores/${id}`, { ...store, connection_config: open })).statusCode).toBe(409)
    expect((await user.put(`/api/data-stores/${id}`, store)).statusCode).toBe(200)
    expect(await archive()).toMatchObject({ enter_again: false, stored_secrets: ['password'] })
    await loseSecrets()
    expect((await user.delete(`/api/data-stores/${id}`)).statusCode).toBe(200)
  })
})

describe('a brokerage account', () => {
  it('is listed as "enter again", takes keys again and can be deleted', async () => {
    await loseSecrets()
    const listed = async () => (await user.get('/api/alpaca/accounts')).json<{ accounts: { id: number }[] }>().accounts
    const [account] = await listed()
    expect(account).toMatchObject({ account_name: 'Live', status: 'enter_again' })
    const checked = await user.post(`/api/alpaca/accounts/${account!.id}/verify`)
    expect([checked.statusCode, checked.json<{ code: string }>().code]).toEqual([409, 'account.unreadable-keys'])
    const another = { account_name: 'Second', api_key: 'PK2', api_secret: 's' }
    expect((await user.post('/api/alpaca/accounts', another)).statusCode).toBe(200)
    const keys = { account_name: 'Live', api_key: 'PK1', api_secret: 's' }
    const replaced = await user.put(`/api/alpaca/accounts/${account!.id}`, keys)
    expect(replaced.json()).toMatchObject({ account: { status: 'not_verified' } })
    await loseSecrets()
    expect((await user.delete(`/api/alpaca/accounts/${account!.id}`)).statusCode).toBe(200)
  })
})

it('the model of the assistant is "enter again", and can be disconnected', async () => {
  await loseSecrets()
  expect((await user.get('/api/openai/status')).json()).toMatchObject({ connected: true, enter_again: true })
  expect((await user.get('/api/openai/models')).statusCode).toBeLessThan(500)
  expect((await user.post('/api/openai/disconnect')).statusCode).toBe(200)
})
