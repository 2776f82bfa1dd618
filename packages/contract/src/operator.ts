import { ACCOUNT_ACTION_IDS } from '@tradewright/core/account-actions'
import { z } from 'zod'
import { Sentence, Success } from './answers.ts'
import { route } from './route.ts'
import { olderThan, SecurityLogEntry } from './security-log.ts'

const tag = 'Operator'
const Instant = z.iso.datetime()

export const getOperatorAccess = route({
  method: 'GET',
  path: '/api/operator',
  access: 'signed in',
  tag,
  summary: 'Whether the user operates this instance, and may open its admin page.',
  answer: z.object({ is_operator: z.boolean() }),
})

const Service = z.object({
  service: z.string(),
  is_broker: z.boolean(),
  calls: z.int(),
  refused: z.int(),
  limited: z.int(),
  unreachable: z.int(),
  failed: z.int(),
  waited_seconds: z.number(),
  /** The limit of one key; null where none is known. */
  limit: z.object({ calls: z.int(), window_seconds: z.number() }).nullable(),
  last_failure_at: Instant.nullable(),
})

const Process = z.object({
  id: z.string(),
  kind: z.enum(['web', 'worker']),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  started_at: Instant,
  reported_at: Instant,
  restarts: z.int(),
  memory_mb: z.number(),
  event_loop_delay_ms: z.number().nullable(),
  lanes: z.array(z.object({ lane: z.string(), waiting: z.int(), running: z.int() })),
})

/** Words of the program alone: what failed and for whom is in the log. */
const RecentError = z.object({
  at: Instant,
  process: z.string(),
  message: Sentence,
  type: z.string().nullable(),
  code: z.string().nullable(),
  /** `GET /api/strategies/:id answered 500`. */
  call: z.string().nullable(),
})

const OperatorOverview = z.object({
  version: z.string(),
  commit: z.string().nullable(),
  schema: z.string(),
  node: z.string(),
  postgres: z.string(),
  users: z.int(),
  deployments: z.object({
    running: z.int(),
    unattended: z.int(),
    missed: z.int(),
    disagreeing: z.int(),
    blocked: z.int(),
  }),
  jobs: z.array(
    z.object({ kind: z.string(), state: z.enum(['queued', 'running']), count: z.int(), oldest_seconds: z.number() }),
  ),
  /**
   * Failures of all users in the last 24 hours, the most frequent first; `cause` and `code` are the program's words for
   * why.
   */
  failed_jobs: z.array(
    z.object({
      kind: z.string(),
      cause: z.string(),
      code: z.string(),
      count: z.int(),
      users: z.int(),
      last_at: Instant,
    }),
  ),
  accounts: z.array(z.object({ broker: z.string(), accounts: z.int(), unverified: z.int() })),
  storage: z.object({
    database_bytes: z.number(),
    series_bytes: z.number(),
    disk_free_bytes: z.number(),
    disk_bytes: z.number(),
  }),
  /** Null where this process makes none. */
  backups: z
    .object({
      count: z.int(),
      newest_at: Instant.nullable(),
      last_failure_at: Instant.nullable(),
      is_running: z.boolean(),
    })
    .nullable(),
  processes: z.array(Process),
  services: z.array(Service),
  errors: z.array(RecentError),
})
export type OperatorOverview = z.infer<typeof OperatorOverview>

export const getOperatorOverview = route({
  method: 'GET',
  path: '/api/operator/overview',
  access: 'operator',
  tag,
  summary:
    'Processes, jobs, services with their limits, storage and recent errors of the whole instance, without anything of a user.',
  answer: OperatorOverview,
})

export const OPERATOR_USERS_PER_PAGE = 50

const OperatorUser = z.object({
  user_id: z.int(),
  username: z.string(),
  registered_at: Instant,
  /** Exact to the hour; null without a session. */
  last_seen_at: Instant.nullable(),
  sessions: z.int(),
  series_bytes: z.number(),
  jobs: z.int(),
  running_deployments: z.int(),
  is_operator: z.boolean(),
  is_suspended: z.boolean(),
})
export type OperatorUser = z.infer<typeof OperatorUser>

export const listOperatorUsers = route({
  method: 'GET',
  path: '/api/operator/users',
  access: 'operator',
  tag,
  summary: 'Accounts of the instance with their use of it, newest first: counts and bytes, never what they hold.',
  query: z.object({ page: z.coerce.number().int().min(1).max(100_000).default(1) }),
  answer: z.object({ total: z.int(), users: z.array(OperatorUser) }),
})

export const actOnAccount = route({
  method: 'POST',
  path: '/api/operator/users/:id/actions',
  access: 'operator',
  asksFactor: 'always',
  tag,
  summary:
    'Sign an account out, suspend it or lift that, stop its deployments, reset its password or second factors, or remove it. ' +
    'Takes effect at once, on calls, streams and jobs under way as well.',
  params: z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) }),
  body: z.object({ action: z.enum(ACCOUNT_ACTION_IDS, `The action must be one of ${ACCOUNT_ACTION_IDS.join(', ')}.`) }),
  /** What a reset gives; shown once. */
  answer: Success.extend({ password: z.string().nullable() }),
})

export const listOperatorSecurityLog = route({
  method: 'GET',
  path: '/api/operator/security-log',
  access: 'operator',
  tag,
  summary:
    'Sign-ins, failures and changes of sign-in of all accounts, or of one, newest first, without the names of keys. ' +
    'Without a user: attempts on names that no account has.',
  query: olderThan.extend({ user_id: z.coerce.number().int().min(1).max(2_147_483_647).optional() }),
  answer: z.object({
    entries: z.array(SecurityLogEntry.extend({ user_id: z.int().nullable(), username: z.string().nullable() })),
    has_more: z.boolean(),
  }),
})

const MAX_INVITATION_DAYS = 365
export const MAX_OPEN_INVITATIONS = 500

const Invitation = z.object({ id: z.string(), created_at: Instant, expires_at: Instant })
export type Invitation = z.infer<typeof Invitation>

export const listInvitations = route({
  method: 'GET',
  path: '/api/operator/invitations',
  access: 'operator',
  tag,
  summary: 'Invitations that were not used and have not expired, newest first.',
  answer: z.object({ registration: z.enum(['open', 'invite', 'closed']), invitations: z.array(Invitation) }),
})

export const createInvitation = route({
  method: 'POST',
  path: '/api/operator/invitations',
  access: 'operator',
  tag,
  summary: 'Make an invitation for one account. The answer is the only place that has its link.',
  body: z.object({
    days: z
      .int('days must be a whole number.')
      .min(1, 'days must be 1 or more.')
      .max(MAX_INVITATION_DAYS, `days must be at most ${MAX_INVITATION_DAYS}.`)
      .default(7),
  }),
  answer: Success.extend({ invitation: Invitation, token: z.string() }),
})

export const revokeInvitation = route({
  method: 'DELETE',
  path: '/api/operator/invitations/:id',
  access: 'operator',
  tag,
  summary: 'Revoke an invitation.',
  params: z.object({ id: z.string().max(60) }),
  answer: Success,
})
