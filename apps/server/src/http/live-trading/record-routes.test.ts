import type { RecordFile, RecordView } from '@tradewright/contract/forward-records'
import { DAY } from '@tradewright/core/time'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { MULTIPART, multipartBody } from '../../../test-support/fuzz/wire.ts'
import { errorOf, newStrategy, paperAccountOf } from '../../../test-support/live/live-trading-user.ts'
import { type LiveServer, liveServer } from '../../../test-support/live/live-server.ts'

let live: LiveServer
let ann: Caller
let id: number
beforeAll(async () => {
  live = await liveServer('2026-03-04')
  ann = await caller(live.server)
  const body = {
    deployment_name: 'Recorded',
    strategy_id: await newStrategy(ann, 'Sixty forty'),
    alpaca_account_id: await paperAccountOf(ann),
    capital_policy_value: 1234.56,
    trading_frequency_type: 'end_of_day',
    auto_start: true,
  }
  id = (await ann.post('/api/deployment/create', body)).json<{ deployment_id: number }>().deployment_id
})
afterAll(() => live.close())

const view = async () =>
  (await ann.get(`/api/deployment/${id}/record`)).json<{ record: RecordView | null; link_expires_at: string | null }>()
const file = async () => (await ann.get(`/api/deployment/${id}/record/file`)).json<RecordFile>()
const decide = async () => {
  live.toDecision()
  await live.work(4)
}
const verify = (content: string) =>
  live.server.app.inject({
    method: 'POST',
    url: '/api/records/verify',
    headers: { ...ann.headers, 'content-type': MULTIPART },
    payload: multipartBody({ file: content }),
  })
const visit = (url: string) => live.server.app.inject({ url })

it('writes each decision down from when it is begun, once, without anything about money', async () => {
  expect((await view()).record).toBeNull()
  expect((await ann.get(`/api/deployment/${id}/record/file`)).statusCode).toBe(404)
  await decide()
  expect((await ann.post(`/api/deployment/${id}/record`)).statusCode).toBe(200)
  expect((await view()).record).toMatchObject({ name: 'Recorded', entry_count: 0, is_open: true, calibration: null })
  await decide()
  await decide()
  const { record } = await view()
  expect(record).toMatchObject({ entry_count: 2, entries: [{ seq: 2 }, { seq: 1, signal: 'Allocation' }] })
  expect(record!.entries[0]!.weights).toEqual({ SPY: 0.6, AGG: 0.3 })
  const { entries, head } = await file()
  expect(head).toBe(record!.head)
  expect(JSON.stringify(entries)).not.toMatch(/1234|quantity|notional|account|user/i)
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM deployment_decisions WHERE deployment_id = ${id}`.execute(
    live.server.database.database,
  )
  expect(rows[0]!.count).toBe(3)
})

it('is verified whole, and names the first entry that was changed', async () => {
  const whole = await file()
  const good = (await verify(JSON.stringify(whole))).json()
  expect(good).toMatchObject({ is_whole: true, entries: 2, first_bad: null, head: whole.head })
  const changed = {
    ...whole,
    entries: whole.entries.map((entry, i) =>
      i === 1 ? { ...entry, content: entry.content.replace('0.6', '0.9') } : entry,
    ),
  }
  expect((await verify(JSON.stringify(changed))).json()).toMatchObject({
    is_whole: false,
    first_bad: 2,
    verdict: 'Entry 2 was changed: its hash is not that of its content.',
  })
  for (const [content, sentence] of [
    ['{"format"', 'not JSON, or it is cut short'],
    ['{}', 'This is not a forward record.'],
    [JSON.stringify({ ...whole, version: 2 }), 'of a version that this program does not know'],
    [JSON.stringify({ ...whole, head: 'x' }), 'A hash has 64 hexadecimal digits.'],
  ] as const) {
    const answer = await verify(content)
    expect(answer.statusCode, answer.body).toBe(400)
    expect(errorOf(answer)).toContain(sentence)
  }
})

it('an entry that is edited in the database breaks the chain visibly', async () => {
  const database = live.server.database.database
  const edit = (from: string, to: string) =>
    sql`UPDATE forward_entries SET content = replace(content, ${from}, ${to}) WHERE seq = 1`.execute(database)
  await edit('"AGG":0.3', '"AGG":0.4')
  expect((await verify(JSON.stringify(await file()))).json()).toMatchObject({ is_whole: false, first_bad: 1 })
  await edit('"AGG":0.4', '"AGG":0.3')
  expect((await verify(JSON.stringify(await file()))).json()).toMatchObject({ is_whole: true })
})

it('is shown as broken to its owner and to visitors, and decisions go on', async () => {
  const database = live.server.database.database
  const { token } = (await ann.post(`/api/deployment/${id}/record/link`, { days: 7 })).json<{ token: string }>()
  const seen = async () => {
    const shared = await visit(`/api/records/${token}`)
    expect(shared.statusCode, shared.body).toBe(200)
    const { record } = shared.json<{ record: RecordView }>()
    expect(record).toEqual((await view()).record)
    return record
  }
  expect(await seen()).toMatchObject({ first_bad: null, entry_count: 2, imported_entries: 0 })
  const whole = await file()
  const { entries } = whole
  const restore = () =>
    sql`UPDATE forward_entries SET content = ${entries[1]!.content}, probability = NULL, seq = 2 WHERE seq >= 2`.execute(
      database,
    )
  for (const edit of [
    sql`UPDATE forward_entries SET content = replace(content, '"AGG":0.3', '"AGG":0.4') WHERE seq = 2`,
    sql`UPDATE forward_entries SET content = 'not JSON' WHERE seq = 2`,
    sql`UPDATE forward_entries SET probability = 0.99 WHERE seq = 2`,
    sql`UPDATE forward_entries SET seq = 7 WHERE seq = 2`,
  ]) {
    await edit.execute(database)
    expect(await seen()).toMatchObject({ first_bad: 2, entry_count: 2, calibration: null })
    await restore()
  }
  expect(await seen()).toMatchObject({ first_bad: null })
  await sql`UPDATE forward_records SET header = replace(header, 'Recorded', 'Better') WHERE deployment_id = ${id}`.execute(
    database,
  )
  expect(await seen()).toMatchObject({ first_bad: 1, name: 'Better' })
  await sql`UPDATE forward_records SET header = 'x' WHERE deployment_id = ${id}`.execute(database)
  expect([
    (await visit(`/api/records/${token}`)).statusCode,
    (await ann.get(`/api/deployment/${id}/record`)).statusCode,
  ]).toEqual([409, 409])
  await sql`UPDATE forward_records SET header = ${whole.header} WHERE deployment_id = ${id}`.execute(database)

  // An entry that cannot be read does not keep the next decision from being made and written down.
  await sql`UPDATE forward_entries SET content = 'not JSON' WHERE seq = 2`.execute(database)
  await decide()
  expect(await seen()).toMatchObject({ first_bad: 2, entry_count: 3, entries: [{ seq: 3 }, { seq: 1 }] })
  await sql`DELETE FROM forward_entries WHERE seq = 3`.execute(database)
  await restore()
  expect(await seen()).toMatchObject({ first_bad: null, entry_count: 2 })
})

it('is read by anyone with its link until that expires or is revoked, and goes on after an end', async () => {
  const share = async () =>
    (await ann.post(`/api/deployment/${id}/record/link`, { days: 7 })).json<{ token: string }>().token
  const first = await share()
  const shared = await visit(`/api/records/${first}`)
  expect(shared.json()).toMatchObject({ record: { name: 'Recorded', entry_count: 2 } })
  expect((await visit(`/api/records/${first}/file`)).json()).toEqual(await file())
  expect(shared.body).not.toContain((await ann.get('/api/user')).json<{ username: string }>().username)
  const second = await share()
  expect((await visit(`/api/records/${first}`)).statusCode).toBe(404)
  expect((await ann.delete(`/api/deployment/${id}/record/link`)).statusCode).toBe(200)
  expect((await visit(`/api/records/${second}`)).statusCode).toBe(404)
  const third = await share()
  live.clock.advance(8 * DAY)
  expect((await visit(`/api/records/${third}`)).statusCode).toBe(404)

  expect((await ann.delete(`/api/deployment/${id}/record`)).statusCode).toBe(200)
  await decide()
  expect((await view()).record).toMatchObject({ is_open: false, entry_count: 2 })
  await ann.post(`/api/deployment/${id}/record`)
  await decide()
  expect((await verify(JSON.stringify(await file()))).json()).toMatchObject({ is_whole: true, entries: 3 })
})

it('belongs to one user', async () => {
  const bob = await caller(live.server)
  for (const answer of [
    await bob.get(`/api/deployment/${id}/record`),
    await bob.get(`/api/deployment/${id}/record/file`),
    await bob.post(`/api/deployment/${id}/record`),
    await bob.post(`/api/deployment/${id}/record/link`, {}),
    await bob.delete(`/api/deployment/${id}/record`),
  ])
    expect(answer.statusCode).toBe(404)
})
