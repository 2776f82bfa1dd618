import { z } from 'zod'
import { Sentence } from './answers.ts'
import { route } from './route.ts'

export const getHealth = route({
  method: 'GET',
  path: '/health',
  access: 'anyone',
  scope: 'any key',
  tag: 'Service',
  summary: 'Whether the service is up. Public, without details.',
  answer: z.object({ status: z.literal('ok') }),
})

export const getReady = route({
  method: 'GET',
  path: '/ready',
  access: 'anyone',
  scope: 'any key',
  tag: 'Service',
  summary:
    'Whether this process should be sent requests: 503 while its database or message channel is unavailable, or while it shuts down.',
  answer: z.object({ status: z.literal('ready') }),
})

const Instant = z.iso.datetime()
const Tally = z.object({ count: z.int(), last_at: Instant.nullable() })

export const SystemHealth = z.object({
  process: z.object({
    started_at: Instant,
    /** How often the launcher has started this program again, and why the last time. */
    restarts: z.int(),
    last_end: z.object({ reason: Sentence, at: Instant }).nullable(),
    unhandled_rejections: Tally,
    memory_mb: z.number(),
    /** How late the event loop was within the last minute; null while it is not measured. */
    event_loop_delay_ms: z.object({ p50: z.number(), p99: z.number(), max: z.number() }).nullable(),
  }),
  database: z.object({
    /** Whether the program runs its own PostgreSQL. */
    is_own: z.boolean(),
    restarts: Tally,
    connections: z.object({ open: z.int(), idle: z.int(), waiting_calls: z.int(), limit: z.int() }),
    is_listening: z.boolean(),
  }),
  jobs: z.object({ queued: z.int(), running: z.int() }),
  live_trading: z.object({
    /** This process's last poll for due work; null where it leaves live trading to workers. */
    last_beat_at: Instant.nullable(),
    running: z.int(),
    /** Running deployments without a lease holder at present. */
    unattended: z.int(),
  }),
})
export type SystemHealth = z.infer<typeof SystemHealth>

export const getSystemHealth = route({
  method: 'GET',
  path: '/api/health',
  access: 'signed in',
  scope: 'read',
  tag: 'Service',
  summary: 'How this process, its database, the job queue and live trading are doing. Counts of all users together.',
  answer: SystemHealth,
})
