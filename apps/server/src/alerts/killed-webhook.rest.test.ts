import type { AlertDelivery } from '@tradewright/contract/alerts'
import { sql } from 'kysely'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { allocationForm, formData } from '../../test-support/backtest-form.ts'
import { startProgram } from '../../test-support/program.ts'
import { createTestDatabase } from '../../test-support/test-database.ts'

const SECRET = 'a webhook secret of the user'

type OnCall = (request: IncomingMessage, response: ServerResponse) => unknown

/** The user's own program, which decides what happens at each call. */
async function receiver(onCall: OnCall): Promise<string> {
  const server = createServer((request, response) => void onCall(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** Nothing is read before the kill: the receiver knows nothing of this call. */
const BEFORE_IT_IS_SENT = 'before the receiver has read anything'
/** The receiver has everything, and the sender not its answer. */
const BEFORE_IT_IS_NOTED = 'after the receiver has taken it, before that is noted'

it.each([BEFORE_IT_IS_SENT, BEFORE_IT_IS_NOTED])(
  'an event of a webhook is delivered under one id, signed, by the next process when the first is killed %s',
  { timeout: 180_000 },
  async (when) => {
    const database = await createTestDatabase()
    onTestFinished(() => database.close())
    const folder = mkdtempSync(join(tmpdir(), 'tradewright-webhook-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const environment = { DATABASE_URL: database.url, DATA_DIR: folder, ALLOW_PRIVATE_ALERTS: 'on' }
    let program = await startProgram(environment)
    const taken: { id: unknown; event: unknown; isSigned: boolean; state: unknown }[] = []
    const take = async ({ headers }: IncomingMessage, body: string) => {
      const mac = createHmac('sha256', SECRET).update(`${String(headers['x-tradewright-timestamp'])}.${body}`)
      const { event, data } = JSON.parse(body) as { event: string; data: { state: string } }
      taken.push({
        id: headers['x-tradewright-delivery'],
        event,
        isSigned: headers['x-tradewright-signature'] === `sha256=${mac.digest('hex')}`,
        state: data.state,
      })
    }
    const { promise: called, resolve: call } = Promise.withResolvers<void>()
    let calls = 0
    const url = await receiver(async (request, response) => {
      calls++
      const isFirst = calls === 1
      if (!isFirst || when === BEFORE_IT_IS_NOTED) await take(request, await text(request))
      if (isFirst) {
        await program.stop('SIGKILL')
        call()
      } else response.end('{}')
    })

    const headers: Record<string, string> = { 'content-type': 'application/json' }
    const ask = async (path: string, body?: object): Promise<unknown> => {
      const options = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
      const answer = await fetch(program.url + path, options)
      expect(answer.status, path).toBe(200)
      return answer.json()
    }
    const someone = { username: 'ann', email: 'ann@example.com', password: 'correct horse battery staple' }
    const { token } = (await ask('/api/register', someone)) as { token: string }
    headers['authorization'] = `Bearer ${token}`
    const events = ['backtest.finished']
    await ask('/api/alerts/channels', { kind: 'webhook', name: 'Hook', fields: { url, secret: SECRET }, events })
    // The answer of the run may be lost with its process; the event of its end is not.
    const run = { method: 'POST', body: formData(allocationForm), headers: { authorization: `Bearer ${token}` } }
    await fetch(`${program.url}/api/backtest`, run).catch(() => {})
    await called

    program = await startProgram(environment)
    onTestFinished(() => program.stop().then(() => {}))
    // The lease of the process that died ends after five minutes.
    await sql`UPDATE deployment_messages SET due_at = clock_timestamp()`.execute(database.database)
    await expect.poll(() => taken.length).toBe(when === BEFORE_IT_IS_NOTED ? 2 : 1)
    expect(new Set(taken.map(({ id }) => id)).size, 'one delivery id').toBe(1)
    for (const one of taken)
      expect(one).toMatchObject({ event: 'backtest.finished', isSigned: true, state: 'completed' })
    const { channels } = (await ask('/api/alerts')) as { channels: { id: number }[] }
    const log = async () =>
      ((await ask(`/api/alerts/channels/${channels[0]!.id}/deliveries`)) as { deliveries: AlertDelivery[] }).deliveries
    await expect.poll(async () => (await log())[0]?.state).toBe('sent')
    expect(await log()).toMatchObject([{ event: 'backtest.finished', state: 'sent', attempts: 2, failure: null }])
    expect(taken[0]!.id).toBe(`event-${(await log())[0]!.id}`)
  },
)
