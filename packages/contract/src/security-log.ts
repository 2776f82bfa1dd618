import { SECURITY_EVENT_KINDS } from '@tradewright/core/security-events'
import { z } from 'zod'
import { Success } from './answers.ts'
import { route } from './route.ts'

export const SecurityLogEntry = z.object({
  id: z.int(),
  kind: z.enum(SECURITY_EVENT_KINDS),
  /** The last time; failures of one address within an hour are one entry. */
  at: z.iso.datetime(),
  count: z.int(),
  /** Where it came from; null where the server itself acted. */
  address: z.string().nullable(),
  device: z.string().nullable(),
  /** The name of the key, the e-mail address. */
  detail: z.string().nullable(),
})
export type SecurityLogEntry = z.infer<typeof SecurityLogEntry>

/** The id of the last entry that was read. */
export const olderThan = z.object({ before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional() })

export const getSecurityLog = route({
  method: 'GET',
  path: '/api/auth/security-log',
  access: 'signed in',
  tag: 'Sign-in methods',
  summary: 'Sign-ins, failures and changes of how the account is signed in to, newest first, 30 at a time.',
  query: olderThan,
  answer: Success.extend({ entries: z.array(SecurityLogEntry), has_more: z.boolean() }),
})
