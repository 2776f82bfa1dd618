import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'
import { createConstructionStore } from '../construction/constructions.ts'
import { purgeDeletedRows, UNDOABLE } from './deleted-rows.ts'
import { createOptimizationRunStore } from '../optimizer/optimization-runs.ts'
import { createStudyStore } from '../studies/studies.ts'

let server: TestApp
let user: RegisteredUser
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  user = await register(server)
})
afterAll(() => server.close())

const query = (text: string, values: unknown[] = []) =>
  server.database.pool.query<Record<string, unknown>>(text, values)
const send = (method: 'GET' | 'DELETE' | 'POST', url: string, as = user) =>
  server.app.inject({ method, url, headers: headersOf(as) })
const undo = (kind: string, key: string | number, as = user) => send('POST', `/api/deletions/${kind}/${key}/undo`, as)

async function saveStrategy(name: string): Promise<number> {
  const config = { allocations: [{ ticker: 'SPY', allocation: 100 }] }
  const body = { name, strategy_type: 'Asset Allocation', config }
  return (await post(server, '/api/strategies', body, headersOf(user))).json<{ id: number }>().id
}

async function saveBacktest(strategyId: number): Promise<number> {
  const { rows } = await query(
    `INSERT INTO backtests (user_id, strategy_id, strategy_name, name, config, report, cagr, sharpe, total_return,
       max_drawdown, synthetic, is_saved, run_id, created_at)
     VALUES ($1, $2, 'Core', 'Five years', '{"a": 1.10}', '{"b": [0.1, null]}', 0.1 + 0.2, NULL, 1e-9, 0.25, false, true,
       gen_random_uuid(), '2026-11-17 10:00:00.123456+00') RETURNING id`,
    [user.id, strategyId],
  )
  return rows[0]!['id'] as number
}

it('knows every table that loses rows or references by a deletion', async () => {
  const { rows } = await query(`
    SELECT parent.relname AS parent, child.relname AS "table", from_column.attname AS "column", key.confdeltype AS act
    FROM pg_constraint key
    JOIN pg_class child ON child.oid = key.conrelid
    JOIN pg_class parent ON parent.oid = key.confrelid
    JOIN pg_attribute from_column ON from_column.attrelid = child.oid AND from_column.attnum = key.conkey[1]
    WHERE key.contype = 'f' AND key.connamespace = 'public'::regnamespace`)
  for (const { table, children, loosened, dropped = [] } of Object.values(UNDOABLE)) {
    const isDropped = (row: Record<string, unknown>) => dropped.some((one) => one.table === row['table'])
    const [gone, loose] = ['c', 'n'].map((act) =>
      rows.filter((row) => row['parent'] === table && row['act'] === act && !isDropped(row)),
    )
    expect(gone).toEqual(children.map((child) => expect.objectContaining(child) as unknown))
    expect(loose).toEqual(loosened.map((other) => expect.objectContaining(other) as unknown))
    // What goes with it takes nothing else along.
    for (const child of children) {
      expect(rows.filter((row) => row['parent'] === child.table && !isDropped(row))).toEqual([])
    }
  }
})

it('restores a strategy with its backtests as they were, once', async () => {
  const id = await saveStrategy('Core')
  await saveBacktest(id)
  const rowsOf = async () => [
    (await query('SELECT * FROM strategies WHERE id = $1', [id])).rows,
    (await query('SELECT *, created_at::text AS exact FROM backtests WHERE strategy_id = $1', [id])).rows,
  ]
  const before = await rowsOf()
  expect((await send('DELETE', `/api/strategies/${id}`)).statusCode).toBe(200)
  expect(await rowsOf()).toEqual([[], []])
  expect((await send('GET', `/api/strategies/${id}`)).statusCode).toBe(404)

  const [first, second] = await Promise.all([undo('strategy', id), undo('strategy', id)])
  expect([first.statusCode, second.statusCode].toSorted((a, b) => a - b)).toEqual([200, 404])
  expect(await rowsOf()).toEqual(before)
  expect((await query('SELECT 1 FROM deleted_rows')).rows).toEqual([])
})

it('lets no other user restore it', async () => {
  const id = await saveStrategy('Mine')
  await send('DELETE', `/api/strategies/${id}`)
  const other = await register(server)
  expect((await undo('strategy', id, other)).statusCode).toBe(404)
  expect((await undo('strategy', id)).statusCode).toBe(200)
})

it('does not restore what has a successor of the same name, nor a backtest without its strategy', async () => {
  const id = await saveStrategy('Twice')
  const backtest = await saveBacktest(id)
  await send('DELETE', `/api/backtests/${backtest}`)
  await send('DELETE', `/api/strategies/${id}`)
  expect((await undo('backtest', backtest)).json()).toMatchObject({ code: 'deletion.orphaned' })
  const successor = await saveStrategy('Twice')
  const refused = await undo('strategy', id)
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({ code: 'deletion.taken' })
  await send('DELETE', `/api/strategies/${successor}`)
  expect((await undo('strategy', id)).statusCode).toBe(200)
  expect((await undo('backtest', backtest)).statusCode).toBe(200)
})

const JOB = { name: 'Daily', provider_id: 'sample', tickers: ['SPY'], data_granularity: '1d', categories: ['close'] }

it.each([
  ['ticker-list', '/api/ticker-lists', { name: 'Big', list_type: 'target', tickers: ['SPY', 'TLT'] }, 'list'],
  ['saved-query', '/api/data-collector/saved-queries', { name: 'Prices', tickers: ['SPY'] }, 'query'],
  ['collection-job', '/api/data-collector/jobs', JOB, 'job'],
])('restores a %s', async (kind, url, body, field) => {
  const saved = await post(server, url, body, headersOf(user))
  expect(saved.statusCode, saved.body).toBe(200)
  const { id } = saved.json<Record<string, { id: number }>>()[field]!
  const before = (await send('GET', url)).json<unknown>()
  await send('DELETE', `${url}/${id}`)
  expect((await send('GET', url)).json<unknown>()).not.toEqual(before)
  expect((await undo(kind, id)).statusCode).toBe(200)
  expect((await send('GET', url)).json<unknown>()).toEqual(before)
})

it('restores an alert channel with its sealed values', async () => {
  const body = { kind: 'ntfy', name: 'Phone', fields: { server: 'https://ntfy.sh', topic: 'savings' } }
  const saved = await post(server, '/api/alerts/channels', body, headersOf(user))
  expect(saved.statusCode, saved.body).toBe(200)
  const before = saved.json<{ channels: { id: number; fields: unknown }[] }>().channels
  expect(before[0]!.fields).not.toBeNull()
  await send('DELETE', `/api/alerts/channels/${before[0]!.id}`)
  expect((await send('GET', '/api/alerts')).json()).toMatchObject({ channels: [] })
  expect((await undo('alert-channel', before[0]!.id)).statusCode).toBe(200)
  expect((await send('GET', '/api/alerts')).json()).toMatchObject({ channels: before })
})

it.each([
  ['optimization-run', 'optimization_runs', createOptimizationRunStore],
  ['study', 'parameter_studies', createStudyStore],
  ['construction', 'portfolio_constructions', createConstructionStore],
] as const)(
  'restores a %s that had ended, and none that was cancelled by its deletion',
  async (kind, table, createStore) => {
    const add = async (endedAs: string | null): Promise<number> => {
      const more =
        table === 'optimization_runs' ? [', candidates, paused, cancel_requested', `, '[]', false, false`] : ['', '']
      const { rows } = await query(
        `INSERT INTO ${table} (user_id, "order", ended_as, created_at${more[0]}) VALUES ($1, '{}', $2, now()${more[1]}) RETURNING id`,
        [user.id, endedAs],
      )
      return rows[0]!['id'] as number
    }
    const [ended, running] = [await add('failed'), await add(null)]
    if (kind === 'optimization-run') {
      await query(
        `INSERT INTO optimization_generations
         (run_id, number, members, blocks, diversity, new_evaluations, best_fitness, average_fitness, seconds)
       VALUES ($1, 1, '[]', '[]', 0.5, 8, 0.1, 0.05, 1)`,
        [ended],
      )
    }
    const store = createStore(server.foundation.database)
    await store.remove(user.id, ended)
    await store.remove(user.id, running)
    expect((await query(`SELECT 1 FROM ${table}`)).rows).toEqual([])
    expect((await undo(kind, ended)).statusCode).toBe(200)
    expect((await undo(kind, running)).statusCode).toBe(404)
    expect((await query(`SELECT id FROM ${table}`)).rows).toEqual([{ id: ended }])
    if (kind === 'optimization-run') {
      expect((await query('SELECT run_id FROM optimization_generations')).rows).toEqual([{ run_id: ended }])
    }
  },
)

it('restores a chat with its messages', async () => {
  const conversation_id = 'chat-1'
  await post(
    server,
    '/api/ai-assistant-query',
    { message: 'What is a Sharpe ratio?', conversation_id },
    headersOf(user),
  )
  const url = `/api/ai-assistant-conversations/${conversation_id}`
  const before = (await send('GET', url)).json<{ messages: unknown[] }>()
  expect(before.messages.length).toBeGreaterThan(0)
  await send('DELETE', url)
  expect((await send('GET', url)).statusCode).toBe(404)
  expect((await undo('conversation', conversation_id)).statusCode).toBe(200)
  expect((await send('GET', url)).json<unknown>()).toEqual(before)
})

it('forgets what was deleted after two minutes', async () => {
  const id = await saveStrategy('Old')
  await send('DELETE', `/api/strategies/${id}`)
  await sql`UPDATE deleted_rows SET deleted_at = now() - interval '2 minutes'`.execute(server.foundation.database)
  expect((await undo('strategy', id)).statusCode).toBe(404)
  await purgeDeletedRows(server.foundation.database)
  expect((await query('SELECT 1 FROM deleted_rows')).rows).toEqual([])
})
