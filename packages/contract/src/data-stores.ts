import { z } from 'zod'
import { freeRecord } from './bounds.ts'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { idParams, LAYERS } from './data-collector-fields.ts'
import { route } from './route.ts'

export const STORE_TYPES = ['local', 's3', 'gcs', 'azure', 'postgresql', 'mongodb'] as const
export const PARTITION_STRATEGIES = ['date', 'ticker', 'date_ticker', 'none'] as const

/** Which connection fields a type cannot do without. */
export const REQUIRED_CONNECTION_FIELDS = {
  local: ['path'],
  s3: ['bucket', 'region'],
  gcs: ['gcs_bucket', 'project_id'],
  azure: ['account_name', 'account_key', 'container_name'],
  postgresql: ['host', 'database', 'username', 'password'],
  mongodb: ['mongo_host', 'mongo_database'],
} as const satisfies Record<(typeof STORE_TYPES)[number], readonly string[]>

/** Passwords and keys never come back: `stored_secrets` names those that are kept. */
export const DataStore = z.object({
  id: z.int(),
  name: z.string(),
  store_type: z.enum(STORE_TYPES),
  is_system: z.boolean(),
  is_default: z.boolean(),
  default_format: z.string(),
  partition_strategy: z.enum(PARTITION_STRATEGIES),
  compression: z.string(),
  created_at: z.iso.datetime(),
  connection_config: z.record(z.string(), z.unknown()),
  stored_secrets: z.array(z.string()),
  /** Not verified yet, and why: the store did not answer when it was saved. Null where the connection worked. */
  unverified_reason: Sentence.nullable(),
  /** The stored password or key can no longer be read: it has to be entered again. */
  enter_again: z.boolean().optional(),
})
export type DataStore = z.infer<typeof DataStore>

const NAME_MAX_LENGTH = 200

export const DataStoreBody = z.object({
  name: z.string().trim().max(NAME_MAX_LENGTH).nullish(),
  store_type: z.enum(STORE_TYPES, `store_type must be one of ${STORE_TYPES.join(', ')}.`),
  is_default: z.boolean().default(false),
  default_format: z.literal('parquet', 'default_format must be parquet.').default('parquet'),
  partition_strategy: z.enum(PARTITION_STRATEGIES).default('none'),
  compression: z.enum(['snappy', 'zstd', 'gzip', 'none']).default('snappy'),
  connection_config: freeRecord('connection_config', 100).default({}),
})
export type DataStoreBody = z.input<typeof DataStoreBody>

const tag = 'Data stores'
const StoreAnswer = Success.extend({ data_store: DataStore })

export const listDataStores = route({
  method: 'GET',
  path: '/api/data-stores',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The data stores of the signed-in user, the system store first.',
  answer: Success.extend({ data_stores: z.array(DataStore), left_out: LeftOutCount }),
})

export const createDataStore = route({
  method: 'POST',
  path: '/api/data-stores',
  access: 'signed in',
  addsRows: true,
  tag,
  summary: 'Add a data store, after its connection was tried.',
  body: DataStoreBody,
  answer: StoreAnswer,
})

export const updateDataStore = route({
  method: 'PUT',
  path: '/api/data-stores/:id',
  access: 'signed in',
  tag,
  summary: 'Change a data store. An empty secret keeps the stored one.',
  params: idParams,
  body: DataStoreBody,
  answer: StoreAnswer,
})

export const deleteDataStore = route({
  method: 'DELETE',
  path: '/api/data-stores/:id',
  access: 'signed in',
  tag,
  summary: 'Delete a data store. Refused for the system store and while jobs use it.',
  params: idParams,
  answer: Success,
})

export const clearDataStore = route({
  method: 'POST',
  path: '/api/data-collector/data-stores/:id/clear',
  access: 'signed in',
  tag,
  summary: 'Remove all data from a store; the store itself stays.',
  params: idParams,
  answer: Success.extend({ message: Sentence, records_removed: z.int() }),
})

const Gap = z.object({ start: z.iso.datetime(), end: z.iso.datetime(), rows: z.int() })

/** Quality of one stored series: what to check before trusting it. */
export const SeriesQuality = z.object({
  ticker: z.string(),
  data_granularity: z.string(),
  providers: z.array(z.string()),
  rows: z.int(),
  first: z.iso.datetime().nullable(),
  last: z.iso.datetime().nullable(),
  missing_rows: z.int(),
  gaps: z.array(Gap),
  unexpected_rows: z.int(),
  duplicates: z.int(),
  contradictions: z.int(),
  suspicious_jumps: z.array(z.object({ timestamp: z.iso.datetime(), change: z.number() })),
  sessions_behind: z.int(),
  is_stale: z.boolean(),
  synthetic: z.boolean(),
})
export type SeriesQuality = z.infer<typeof SeriesQuality>

export const getStoreQuality = route({
  method: 'GET',
  path: '/api/data-collector/data-stores/:id/quality',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'Gaps, jumps and stale series of a store.',
  params: idParams,
  query: z.object({ layer: z.enum(LAYERS).default('gold') }),
  answer: Success.extend({ series: z.array(SeriesQuality) }),
})
