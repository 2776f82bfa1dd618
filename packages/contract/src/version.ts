import { KEY_SCOPE_IDS } from '@tradewright/core/key-scopes'
import { z } from 'zod'
import { route } from './route.ts'

export const getVersion = route({
  method: 'GET',
  path: '/api/version',
  access: 'signed in',
  scope: 'any key',
  tag: 'Service',
  summary: 'Version of the program, of its API and of its tables, and, where called with an API key, what it may do.',
  answer: z.object({
    version: z.string(),
    api: z.literal('v1'),
    /** The commit of the source; null where the program does not run from a checkout. */
    commit: z.string().nullable(),
    /** The last migration of the database. */
    schema: z.string(),
    key: z
      .object({ name: z.string(), scopes: z.array(z.enum(KEY_SCOPE_IDS)), expires_at: z.iso.datetime() })
      .nullable(),
  }),
})
