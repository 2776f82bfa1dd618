import { z } from 'zod'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { GRANULARITIES, idParams, shortWordList, smallObject, wordList } from './data-collector-fields.ts'
import { optionalDate } from './dates.ts'
import { idField } from './ids.ts'
import { route } from './route.ts'

/** The kind of the work that a run is, in the events of the signed-in user. */
export const COLLECTION_JOB = 'data-collection'

const JOB_KINDS = ['fetch', 'transform'] as const
export const SCHEDULE_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
/** Europe/Frankfurt is no zone of the IANA: it is read as Europe/Berlin. */
export const SCHEDULE_TIMEZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Frankfurt',
  'Asia/Tokyo',
  'Asia/Hong_Kong',
  'Asia/Shanghai',
  'UTC',
] as const

const tag = 'Data Collector'

export const Provider = z.object({
  id: z.string(),
  display_name: z.string(),
  provider_type: z.string(),
  requires_auth: z.boolean(),
  max_ticker_batch: z.int(),
  is_custom: z.boolean(),
  supported_categories: z.array(z.string()),
  capabilities: z.object({ bulk_mode: z.boolean() }),
  granularities: z.array(z.string()),
  synthetic: z.boolean(),
})
export type Provider = z.infer<typeof Provider>

export const listProviders = route({
  method: 'GET',
  path: '/api/data-collector/providers',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The data providers that the signed-in user may use.',
  answer: Success.extend({ providers: z.array(Provider), left_out: LeftOutCount }),
})

export const generateProvider = route({
  method: 'POST',
  path: '/api/data-collector/providers/generate',
  access: 'signed in',
  changesNothing: true,
  tag,
  summary: 'Turn the documentation of an API into the definition of a provider, with the connected AI model.',
  body: z.object({
    provider_name: z.string().trim().max(200).nullish(),
    api_documentation: z.string().trim().max(500_000).nullish(),
    additional_context: z.string().trim().max(50_000).nullish(),
  }),
  answer: Success.extend({ definition: z.unknown() }),
})

const LayerCounts = z.object({ bronze: z.int(), silver: z.int(), gold: z.int() })

export const CollectionJob = z.object({
  id: z.int(),
  name: z.string(),
  is_system: z.boolean(),
  job_kind: z.enum(JOB_KINDS),
  provider: z.string().nullable(),
  provider_id: z.string().nullable(),
  store: z.string(),
  data_store_id: z.int(),
  tickers: z.array(z.string()),
  data_granularity: z.enum(GRANULARITIES),
  categories: z.array(z.string()),
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  dynamic_date_mode: z.boolean(),
  dynamic_start_offset_days: z.int().nullable(),
  dynamic_end_offset_days: z.int().nullable(),
  is_scheduled: z.boolean(),
  schedule_cron: z.string().nullable(),
  schedule_start_time: z.string().nullable(),
  schedule_end_time: z.string().nullable(),
  schedule_timezone: z.string().nullable(),
  schedule_start_date: z.string().nullable(),
  schedule_end_date: z.string().nullable(),
  schedule_days: z.array(z.string()),
  schedule_market_hours_only: z.boolean(),
  schedule_active: z.boolean(),
  additional_params: z.record(z.string(), z.unknown()),
  transform_config: z.record(z.string(), z.unknown()).nullable(),
  depends_on_job_ids: z.array(z.int()),
  status: z.string(),
  /** How far the run under way is; null when none is, or it has not said yet. */
  progress: z.object({ fraction: z.number().nullable(), note: Sentence }).nullable(),
  error_message: Sentence.nullable(),
  last_run: z.iso.datetime().nullable(),
  next_run: z.iso.datetime().nullable(),
  total_records: z.int(),
  successful_runs: z.int(),
  failed_runs: z.int(),
})
export type CollectionJob = z.infer<typeof CollectionJob>

const offset = z.int('must be a whole number').min(-36_500).max(36_500)
const time = z.union([z.string().regex(/^\d{2}:\d{2}(:\d{2})?$/, 'must be a time of the form HH:MM:SS'), z.literal('')])
const dateTime = z.union([
  z.string().regex(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?)?$/, 'must be of the form YYYY-MM-DD HH:MM:SS'),
  z.literal(''),
])
const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => (value === '' || value === undefined ? null : value))

/**
 * Required fields are checked by the server, so that the sentence is the same for the form, the assistant and the API.
 */
export const CollectionJobBody = z.object({
  name: z.string().trim().max(200).nullish(),
  job_kind: z.enum(JOB_KINDS).default('fetch'),
  provider_id: z.string().trim().max(100).nullish(),
  data_store_id: idField.nullish(),
  tickers: wordList,
  data_granularity: z.union([z.enum(GRANULARITIES), z.literal('')]).nullish(),
  categories: shortWordList,
  start_date: optionalDate,
  end_date: optionalDate,
  dynamic_date_mode: z.boolean().default(false),
  dynamic_start_offset_days: orNull(offset.min(0, 'must be 0 or more')),
  dynamic_end_offset_days: orNull(offset),
  is_scheduled: z.boolean().default(false),
  schedule_cron: orNull(z.string().trim().max(200)),
  schedule_start_time: orNull(time),
  schedule_end_time: orNull(time),
  schedule_timezone: z
    .union([z.enum(SCHEDULE_TIMEZONES), z.literal('')])
    .nullish()
    .transform((zone) => zone || 'America/New_York'),
  schedule_start_date: orNull(dateTime),
  schedule_end_date: orNull(dateTime),
  schedule_days: z.array(z.enum(SCHEDULE_DAYS)).max(100).nullish(),
  schedule_market_hours_only: z.boolean().default(false),
  schedule_active: z.boolean().default(true),
  additional_params: smallObject.nullish().transform((value) => value ?? {}),
  transform_config: smallObject.nullish().transform((value) => value ?? null),
  depends_on_job_ids: z
    .array(idField)
    .max(100)
    .nullish()
    .transform((value) => [...new Set(value ?? [])]),
})
export type CollectionJobBody = z.input<typeof CollectionJobBody>

const JobAnswer = Success.extend({ job: CollectionJob })

export const listCollectionJobs = route({
  method: 'GET',
  path: '/api/data-collector/jobs',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The collection jobs of the signed-in user.',
  answer: Success.extend({ jobs: z.array(CollectionJob), left_out: LeftOutCount }),
})

export const createCollectionJob = route({
  method: 'POST',
  path: '/api/data-collector/jobs',
  access: 'signed in',
  scope: 'research',
  idempotent: true,
  addsRows: true,
  tag,
  summary: 'Create a collection job.',
  body: CollectionJobBody,
  answer: JobAnswer,
})

export const updateCollectionJob = route({
  method: 'PUT',
  path: '/api/data-collector/jobs/:id',
  access: 'signed in',
  scope: 'research',
  addsRows: true,
  tag,
  summary: 'Change a collection job.',
  params: idParams,
  body: CollectionJobBody,
  answer: JobAnswer,
})

export const deleteCollectionJob = route({
  method: 'DELETE',
  path: '/api/data-collector/jobs/:id',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Delete a collection job and its run history. The data it collected is kept.',
  params: idParams,
  answer: Success,
})

export const runCollectionJob = route({
  method: 'POST',
  path: '/api/data-collector/jobs/:id/run',
  access: 'signed in',
  scope: 'research',
  idempotent: true,
  addsRows: true,
  tag,
  summary: 'Run a job and answer when the run has ended. It continues when the client disconnects.',
  params: idParams,
  answer: Success.extend({
    records_fetched: z.int(),
    records_stored: z.int(),
    message: Sentence,
    run_id: z.int(),
  }),
})

export const cancelCollectionRun = route({
  method: 'POST',
  path: '/api/data-collector/jobs/:id/cancel',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Ask the run of a job to stop. It ends as cancelled within seconds and keeps what it has stored.',
  params: idParams,
  answer: Success,
})

export const CollectionRun = z.object({
  run_id: z.int(),
  job_id: z.int(),
  job_name: z.string(),
  provider: z.string().nullable(),
  store: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'cancelled']),
  started_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
  records_fetched: z.int(),
  records_stored: z.int(),
  /**
   * `layer_counts` is all that the store holds in each layer after the run, `run_counts` what the run itself wrote
   * there.
   */
  layer_counts: LayerCounts,
  run_counts: LayerCounts,
  total_duration_ms: z.int().nullable(),
  message: Sentence.nullable(),
  error_message: Sentence.nullable(),
})
export type CollectionRun = z.infer<typeof CollectionRun>

export const listCollectionRuns = route({
  method: 'GET',
  path: '/api/data-collector/runs',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The newest 200 runs of the signed-in user, newest first.',
  answer: Success.extend({ runs: z.array(CollectionRun), left_out: LeftOutCount }),
})
