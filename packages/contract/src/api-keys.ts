import {
  DEFAULT_KEY_CALLS_PER_MINUTE,
  DEFAULT_KEY_DAYS,
  KEY_SCOPE_IDS,
  MAX_KEY_CALLS_PER_MINUTE,
  MAX_KEY_DAYS,
} from '@tradewright/core/key-scopes'
import { z } from 'zod'
import { Success } from './answers.ts'
import { PASSWORD_MAX_LENGTH } from './auth.ts'
import { route } from './route.ts'

const Scope = z.enum(KEY_SCOPE_IDS, `A scope must be one of ${KEY_SCOPE_IDS.join(', ')}.`)

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** How the key begins, to tell it from others. */
  begins_with: z.string(),
  scopes: z.array(Scope),
  calls_per_minute: z.int(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  is_expired: z.boolean(),
  /** Exact to the minute; null while it was never used. */
  last_used_at: z.iso.datetime().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

const tag = 'API keys'

export const listApiKeys = route({
  method: 'GET',
  path: '/api/keys',
  access: 'signed in',
  tag,
  summary: "The user's API keys that were not revoked, newest first. The keys themselves are not stored.",
  answer: Success.extend({ keys: z.array(ApiKey) }),
})

const whole = (name: string, max: number, otherwise: number) =>
  z
    .int(`${name} must be a whole number.`)
    .min(1, `${name} must be 1 or more.`)
    .max(max, `${name} must be at most ${max}.`)
    .default(otherwise)

export const createApiKey = route({
  method: 'POST',
  path: '/api/keys',
  access: 'signed in',
  asksFactor: 'always',
  addsRows: true,
  tag,
  summary:
    'Make an API key. The answer is the only place that has the key itself. Requires the password of the user, or, where ' +
    'they have none, for a sign-in within the last 15 minutes. Cannot be called with an API key.',
  body: z.object({
    name: z
      .string('Please enter a name.')
      .trim()
      .min(1, 'Please enter a name.')
      .max(60, 'The name is too long (at most 60 characters).'),
    scopes: z.array(Scope, 'Please choose what the key may do.').min(1, 'Please choose what the key may do.').max(10),
    expires_in_days: whole('expires_in_days', MAX_KEY_DAYS, DEFAULT_KEY_DAYS),
    calls_per_minute: whole('calls_per_minute', MAX_KEY_CALLS_PER_MINUTE, DEFAULT_KEY_CALLS_PER_MINUTE),
    password: z.string().max(PASSWORD_MAX_LENGTH).nullish(),
  }),
  answer: Success.extend({ key: ApiKey, secret: z.string() }),
})

export const revokeApiKey = route({
  method: 'DELETE',
  path: '/api/keys/:id',
  access: 'signed in',
  tag,
  summary: 'Revoke an API key. The next call with it is refused, in every process.',
  params: z.object({ id: z.string().max(100) }),
  answer: Success,
})
