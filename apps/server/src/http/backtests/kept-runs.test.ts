import { BacktestAnswer, listRecentRuns, SavedBacktest } from '@tradewright/contract/backtests'
import {
  createResultLink,
  getSharedPassport,
  getSharedResult,
  listResultLinks,
} from '@tradewright/contract/shared-results'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { createBacktestStore } from '../../stores/backtests/backtests.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
let bob: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
  bob = await register(server)
})

const form = { ...allocationForm, startDate: '2022-01-03' }
const run = async (fields: typeof allocationForm = form, user = ann) =>
  BacktestAnswer.parse((await postBacktest(server, user, fields)).json())
const call = (method: 'GET' | 'PUT' | 'DELETE', url: string, user?: RegisteredUser, payload?: object) =>
  server.app.inject({ method, url, headers: user ? headersOf(user) : {}, ...(payload && { payload }) })
const save = (id: number, body: object, user = ann) => post(server, `/api/backtests/${id}/save`, body, headersOf(user))
const recent = async (user = ann) =>
  listRecentRuns.answer.parse((await call('GET', '/api/backtests/recent', user)).json()).runs
const saved = async () =>
  (await call('GET', '/api/backtests/all', ann)).json<{ backtests: { id: number }[] }>().backtests

describe('a run that was not saved', () => {
  it('stays among the recent runs under its own address, and not among the saved backtests', async () => {
    const { result_id: id, backtest_id, cagr } = await run({ ...form, strategyName: undefined })
    expect(backtest_id).toBeNull()
    expect((await recent())[0]).toMatchObject({
      id,
      saved: false,
      cagr,
      synthetic: true,
      name: '60% SPY, 40% AGG 2022-01-03 to 2022-12-30',
    })
    expect(await saved()).toEqual([])
    const opened = SavedBacktest.parse((await call('GET', `/api/backtests/${id}`, ann)).json())
    expect(opened).toMatchObject({ saved: false, result_data: { cagr }, strategy_config: { startValue: 10_000 } })
    expect((await call('GET', '/api/strategy-performance', ann)).json()).toMatchObject({ all: [] })
    const home = (await call('GET', '/api/home/results', ann)).json<{ latest: object[]; best: object[] }>()
    expect([home.latest.length, home.best.length]).toEqual([1, 0])
  })

  it('can be saved afterwards, as the boxes of the form would have [BT-142] [BT-143]', async () => {
    const { result_id: id } = await run({ ...form, strategyName: undefined })
    const both = await save(id, { name: ' Balanced ' })
    expect(both.json()).toMatchObject({ id, saved: true, name: 'Balanced 2022-01-03 to 2022-12-30' })
    const { strategy_id } = both.json<{ strategy_id: number }>()
    const results = (await call('GET', `/api/strategies/${strategy_id}/results`, ann)).json<{ backtests: object[] }>()
    expect(results.backtests).toMatchObject([{ id }])
    expect((await call('GET', `/api/strategies/${strategy_id}`, ann)).json()).toMatchObject({
      name: 'Balanced',
      config: { allocations: [{ ticker: 'SPY', allocation: 60 }, { ticker: 'AGG' }] },
    })
    const opened = SavedBacktest.parse((await call('GET', `/api/backtests/${id}`, ann)).json())
    expect(opened.result_data.strategy_name).toBe('Balanced')

    const { result_id: other } = await run()
    const strategyOnly = await save(other, { name: 'Alone', save_backtest: false })
    expect(strategyOnly.json()).toMatchObject({ saved: false, strategy_id: expect.any(Number) })
    expect((await saved()).map((one) => one.id)).not.toContain(other)
    expect((await save(other, { name: 'Nothing', save_backtest: false, save_strategy: false })).statusCode).toBe(400)
    expect((await save(other, { name: ' ' })).json()).toMatchObject({ error: 'The name is required.' })
  })

  it('can be renamed, by its owner alone', async () => {
    const { result_id: id } = await run()
    expect((await call('PUT', `/api/backtests/${id}`, bob, { name: 'Mine' })).statusCode).toBe(404)
    expect((await save(id, { name: 'Mine' }, bob)).statusCode).toBe(404)
    expect((await call('PUT', `/api/backtests/${id}`, ann, { name: 'Calm' })).json()).toMatchObject({
      id,
      name: 'Calm',
    })
    expect((await recent())[0]).toMatchObject({ id, name: 'Calm', saved: false })
  })

  it('goes when fifty newer ones were run, unless it is saved or shared', async () => {
    const [old, kept, shared] = [await run(form, bob), await run(form, bob), await run(form, bob)]
    await save(kept.result_id, { name: 'Kept' }, bob)
    for (const { result_id: id } of [old, shared]) await post(server, `/api/backtests/${id}/links`, {}, headersOf(bob))
    await server.database.pool.query('UPDATE result_links SET expires_at = now() WHERE backtest_id = $1', [
      old.result_id,
    ])
    await server.database.pool.query(
      `INSERT INTO backtests (user_id, strategy_name, name, config, report, total_return, max_drawdown, synthetic, run_id,
         created_at, is_saved)
       SELECT user_id, strategy_name, 'copy', config, '{}', total_return, max_drawdown, synthetic, gen_random_uuid(),
         created_at + interval '1 millisecond', false
       FROM backtests, generate_series(1, 49) WHERE id = $1`,
      [shared.result_id],
    )
    const { result_id: newest } = await run(form, bob)
    const { rows } = await server.database.pool.query<{ id: number }>(
      `SELECT id FROM backtests WHERE user_id = $1 AND name <> 'copy' ORDER BY id`,
      [bob.id],
    )
    expect(rows.map(({ id }) => id)).toEqual([kept.result_id, shared.result_id, newest])
    expect((await call('GET', `/api/backtests/${old.result_id}`, bob)).statusCode).toBe(404)
    const listed = await recent(bob)
    expect([listed.filter(({ saved: isSaved }) => isSaved).length, listed.length]).toEqual([1, 51])
  })

  it('is still listed after sixty newer ones were saved', async () => {
    const eve = await register(server)
    const { result_id: id } = await run(form, eve)
    await server.database.pool.query(
      `INSERT INTO backtests (user_id, strategy_name, name, config, report, total_return, max_drawdown, synthetic, run_id,
         created_at, is_saved)
       SELECT user_id, strategy_name, 'copy', config, report, total_return, max_drawdown, synthetic, gen_random_uuid(),
         created_at + interval '1 millisecond', true
       FROM backtests, generate_series(1, 60) WHERE id = $1`,
      [id],
    )
    const listed = await recent(eve)
    expect(listed.map((one) => one.id)).toContain(id)
    expect(listed).toHaveLength(51)
    expect(listed[0]).toMatchObject({ name: 'copy', saved: true })
  })

  it('is not removed where it was saved a moment before', async () => {
    const { result_id: id } = await run()
    await run()
    const client = await server.database.pool.connect()
    await client.query('BEGIN')
    await client.query('UPDATE backtests SET is_saved = true WHERE id = $1', [id])
    const removed = createBacktestStore(server.database.database).removeOldRuns(ann.id, {
      runs: 1,
      bytes: 1e9,
      at: new Date(),
    })
    await expect
      .poll(async () => {
        const { rows } = await client.query<{ waiting: number }>(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rows[0]!.waiting
      })
      .toBeGreaterThan(0)
    await client.query('COMMIT')
    client.release()
    await removed
    expect((await call('GET', `/api/backtests/${id}`, ann)).json()).toMatchObject({ id, saved: true })
  })
})

describe('a shared result', () => {
  const share = async (id: number, body: object = {}) =>
    createResultLink.answer.parse((await post(server, `/api/backtests/${id}/links`, body, headersOf(ann))).json())
  const open = (token: string) => call('GET', `/api/shared/${token}`)
  const links = async () => listResultLinks.answer.parse((await call('GET', '/api/result-links', ann)).json()).links

  it('is seen without an account, and tells nothing about its owner', async () => {
    const reference = await run({ ...form, saveBacktest: 'true', backtestName: 'Other' })
    const { result_id: id, cagr } = await run({ ...form, referenceBacktestId: String(reference.result_id) })
    const { token, link } = await share(id)
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(30 * 86_400_000)
    const answer = await open(token)
    expect([answer.statusCode, answer.headers['x-robots-tag'], answer.headers['cache-control']]).toEqual([
      200,
      'noindex',
      'no-store',
    ])
    const { result } = getSharedResult.answer.parse(answer.json())
    expect(result).toMatchObject({ cagr, synthetic: true, allocation: { SPY: 60 }, trades: [] })
    expect(result.settings.reference_backtest_id).toBeNull()
    for (const secret of [ann.username, 'user_id', 'strategy_id', 'backtest_id":' + String(reference.result_id)])
      expect(answer.body).not.toContain(secret)
    const { rows } = await server.database.pool.query<{ found: boolean }>(
      'SELECT bool_or(result_links::text LIKE $1) AS found FROM result_links',
      [`%${token}%`],
    )
    expect(rows[0]!.found).toBe(false)
  })

  it('has a preview picture, and a passport only where its owner shares trades and signals too', async () => {
    const { result_id: id } = await run()
    const { token } = await share(id)
    const picture = await server.app.inject({ url: `/shared/${token}/preview.png` })
    expect([picture.statusCode, picture.headers['content-type'], picture.headers['x-robots-tag']]).toEqual([
      200,
      'image/png',
      'noindex',
    ])
    // Width and height of the PNG.
    expect([picture.rawPayload.readUInt32BE(16), picture.rawPayload.readUInt32BE(20)]).toEqual([1200, 630])
    const refused = await server.app.inject({ url: `/api/shared/${token}/passport` })
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([404, 'shared-result.missing'])
    const page = (await server.app.inject({ url: `/api/shared/${token}` })).json<{ has_passport: boolean }>()
    expect(page.has_passport).toBe(false)
    const consented = await share(id, { with_passport: true })
    const passport = await server.app.inject({ url: `/api/shared/${consented.token}/passport` })
    expect(getSharedPassport.answer.parse(passport.json()).series.every(({ data }) => data === undefined)).toBe(true)
    expect(passport.body).not.toContain(ann.username)
    for (const url of [`/shared/${'A'.repeat(43)}/preview.png`, `/api/shared/${'A'.repeat(43)}/passport`]) {
      const answer = await server.app.inject({ url })
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        expect.objectContaining({ code: 'shared-result.missing' }),
      ])
    }
  })

  it('answers the same to a link that is unknown, expired, revoked or of a deleted result', async () => {
    const { result_id: id } = await run()
    const [revoked, expired, orphaned] = [await share(id), await share(id, { days: 7 }), await share(id, { days: 365 })]
    expect((await call('DELETE', `/api/result-links/${revoked.link.id}`, bob)).statusCode).toBe(404)
    expect((await call('DELETE', `/api/result-links/${revoked.link.id}`, ann)).json()).toEqual({ success: true })
    await server.database.pool.query('UPDATE result_links SET expires_at = now() WHERE id = $1', [expired.link.id])
    expect((await links()).map((one) => one.id)).toContain(orphaned.link.id)
    expect((await open(orphaned.token)).statusCode).toBe(200)
    expect((await call('DELETE', `/api/backtests/${id}`, ann)).statusCode).toBe(200)
    const { request_id: _, ...unknown } = (await open('A'.repeat(43))).json<Record<string, unknown>>()
    for (const token of [revoked.token, expired.token, orphaned.token, 'short']) {
      const answer = await open(token)
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject(unknown)
    }
    expect((await links()).filter((one) => one.backtest_id === id)).toEqual([])
  })

  it('opens no other call, refuses other periods and results of others', async () => {
    const { result_id: id } = await run()
    const { token } = await share(id)
    const headers = { authorization: `Bearer ${token}` }
    expect((await server.app.inject({ url: `/api/backtests/${id}`, headers })).statusCode).toBe(401)
    expect((await post(server, `/api/backtests/${id}/links`, { days: 8 }, headersOf(ann))).json()).toMatchObject({
      error: 'days must be one of 7, 30, 365.',
    })
    expect((await post(server, `/api/backtests/${id}/links`, {}, headersOf(bob))).statusCode).toBe(404)
  })

  it('is one of a hundred at most, also where many are made at once', async () => {
    const { result_id: id } = await run(form, bob)
    await server.database.pool.query(
      `INSERT INTO result_links (backtest_id, token_hash, created_at, expires_at)
       SELECT $1, decode(md5(number::text), 'hex'), now(), now() + interval '1 day'
       FROM generate_series(1, 95 - (SELECT count(*) FROM result_links JOIN backtests ON backtests.id = backtest_id
         WHERE user_id = $2)::int) AS number`,
      [id, bob.id],
    )
    const made = await Promise.all(
      Array.from({ length: 10 }, () => post(server, `/api/backtests/${id}/links`, {}, headersOf(bob))),
    )
    expect(made.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(5).fill(200),
      ...Array<number>(5).fill(409),
    ])
    const { links: all } = (await call('GET', '/api/result-links', bob)).json<{ links: object[] }>()
    expect(all).toHaveLength(100)
  })

  it('refuses many visits of one address', async () => {
    const visit = () => server.app.inject({ url: '/api/shared/unknown', remoteAddress: '192.0.2.61' })
    const answers = await Promise.all(Array.from({ length: 61 }, visit))
    expect(answers.at(-1)!.statusCode).toBe(429)
    expect(answers.at(-1)!.headers['retry-after']).toBeDefined()
  })
})
