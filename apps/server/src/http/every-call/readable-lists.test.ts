import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LiveTradingUser, newStrategy, openLiveTrading } from '../../../test-support/live/live-trading-user.ts'

let live: LiveTradingUser
let deploymentId: number
beforeAll(async () => {
  live = await openLiveTrading()
  deploymentId = (await live.created()).id
})
afterAll(() => live.server.close())

const write = (statement: RawBuilder<unknown>) => statement.execute(live.server.database.database)

interface List {
  readonly field: string
  readonly path: string | (() => string)
  /** Adds entries where there is none yet, so that one stays. */
  readonly add?: () => Promise<unknown>
  /** Adds an entry that this version cannot tell. */
  readonly damage: () => Promise<unknown>
}

const query = (tickers: string) => sql`
  INSERT INTO saved_queries (user_id, name, description, tickers, categories, providers, is_default, use_count, created_at)
  VALUES (${live.ann.id}, 'Mine', '', ${sql.raw(tickers)}, '{}', '{}', false, 0, now())`
const tickerList = (name: string, tickers: string) => sql`
  INSERT INTO ticker_lists (user_id, name, list_type, tickers, created_at, updated_at)
  VALUES (${live.ann.id}, ${name}, 'target', ${sql.raw(tickers)}, now(), now())`
const account = (name: string, broker: string) => sql`
  INSERT INTO brokerage_accounts (user_id, name, broker, is_paper, is_default, status, created_at)
  VALUES (${live.ann.id}, ${name}, ${broker}, true, false, 'verified', now())`
const job = (name: string, schedule: string) => sql`
  INSERT INTO collection_jobs (user_id, name, is_system, job_kind, provider_id, data_store_id, tickers, data_granularity,
    categories, dates, schedule, additional_params, depends_on_job_ids, created_at)
  SELECT user_id, ${name}, false, job_kind, provider_id, data_store_id, tickers, data_granularity, categories, dates,
    ${schedule}::jsonb, additional_params, '{}', now()
  FROM collection_jobs WHERE user_id = ${live.ann.id} AND is_system`
const run = (counts: string) => sql`
  INSERT INTO collection_runs (user_id, collection_job_id, queue_job_id, job_name, store, status, started_at,
    completed_at, records_fetched, records_stored, layer_counts, run_counts)
  SELECT user_id, id, gen_random_uuid(), name, 'System Storage', 'completed', now(), now(), 0, 0,
    ${counts}::jsonb, ${counts}::jsonb
  FROM collection_jobs WHERE user_id = ${live.ann.id} AND is_system`
const activity = (item: object) => sql`
  INSERT INTO deployment_activity (deployment_id, at, item)
  VALUES (${deploymentId}, now(), ${JSON.stringify(item)}::jsonb)`

const lists: Record<string, List> = {
  'data stores': {
    field: 'data_stores',
    path: '/api/data-stores',
    damage: () =>
      write(sql`
        INSERT INTO data_stores (user_id, name, store_type, is_system, is_default, default_format, partition_strategy,
          compression, connection_config, created_at)
        VALUES (${live.ann.id}, 'Later', 'local', false, false, 'parquet', 'by_phase', 'snappy', '{}', now())`),
  },
  'collection jobs': {
    field: 'jobs',
    path: '/api/data-collector/jobs',
    damage: () => write(job('Later', '{"days": 5}')),
  },
  'collection runs': {
    field: 'runs',
    path: '/api/data-collector/runs',
    add: () => write(run('{"bronze": 0, "silver": 0, "gold": 0}')),
    damage: () => write(run('{"bronze": "many"}')),
  },
  providers: {
    field: 'providers',
    path: '/api/data-collector/providers',
    damage: () =>
      write(sql`
        INSERT INTO custom_providers (user_id, provider_id, definition, created_at)
        VALUES (${live.ann.id}, 'later', '{"id": "later"}', now())`),
  },
  'saved queries': {
    field: 'queries',
    path: '/api/data-collector/saved-queries',
    add: () => write(query(`ARRAY['SPY']`)),
    damage: () => write(query(`ARRAY['SPY', NULL]`)),
  },
  'ticker lists': {
    field: 'lists',
    path: '/api/ticker-lists',
    add: () => write(tickerList('Mine', `ARRAY['SPY']`)),
    damage: () => write(tickerList('Later', `ARRAY['SPY', NULL]`)),
  },
  'brokerage accounts': {
    field: 'accounts',
    path: '/api/alpaca/accounts',
    damage: () => write(account('Later', 'later')),
  },
  deployments: {
    field: 'deployments',
    path: '/api/deployment/list',
    damage: async () => {
      const { id } = await live.created({ deployment_name: 'Later' })
      await write(sql`UPDATE deployments SET settings = '{}' WHERE id = ${id}`)
    },
  },
  'activity of a deployment': {
    field: 'activity',
    path: () => `/api/deployment/${deploymentId}/activity`,
    add: () => write(activity({ type: 'event', level: 'info', message: 'Started' })),
    damage: () => write(activity({ type: 'later' })),
  },
}

it.each(Object.entries(lists))('one entry that cannot be read leaves the others in the list of %s', async (_, list) => {
  const { field, path, add, damage } = list
  const read = async () => {
    const answer = await live.ann.get(typeof path === 'string' ? path : path())
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    return answer.json<Record<string, unknown[]> & { left_out?: number }>()
  }
  await read()
  await add?.()
  const before = await read()
  expect(before[field]?.length).toBeGreaterThan(0)
  expect(before).not.toHaveProperty('left_out')
  await damage()
  const after = await read()
  expect(after[field]).toEqual(before[field])
  expect(after.left_out).toBe(1)
})

it('a strategy that cannot be read is listed with the reason, and is not deployed', async () => {
  const before = (await live.ann.get('/api/deployment/strategies')).json<{ strategies: unknown[] }>().strategies
  const id = await newStrategy(live.ann, 'Later')
  await write(sql`UPDATE strategies SET config = 'null' WHERE id = ${id}`)
  const { strategies } = (await live.ann.get('/api/deployment/strategies')).json<{ strategies: unknown[] }>()
  expect(strategies).toHaveLength(before.length + 1)
  const unread = {
    name: 'Later',
    is_deployable: false,
    not_deployable_reason: 'The settings of a strategy must be an object.',
  }
  expect(strategies).toContainEqual(expect.objectContaining(unread))
})

it.each(['/api/deployment/accounts', '/api/deployment/glance', '/api/alpaca/portfolio'])(
  'answers %s beside entries that cannot be read',
  async (path) => {
    const answer = await live.ann.get(path)
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  },
)
