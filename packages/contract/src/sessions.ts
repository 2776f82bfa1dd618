import { z } from 'zod'
import { Success } from './answers.ts'
import { route } from './route.ts'

/** A browser or program in which the user is signed in. */
export const OwnSession = z.object({
  id: z.string(),
  /** Browser and system in words: `Chrome on Windows`. */
  device: z.string(),
  address: z.string(),
  created_at: z.iso.datetime(),
  /** Exact to the hour; for the session of this call, now. */
  last_seen_at: z.iso.datetime(),
  is_current: z.boolean(),
})
export type OwnSession = z.infer<typeof OwnSession>

const tag = 'Sessions'

export const listSessions = route({
  method: 'GET',
  path: '/api/auth/sessions',
  access: 'signed in',
  tag,
  summary: 'Where the user is signed in: the session of this call first, then the last seen.',
  answer: Success.extend({
    sessions: z.array(OwnSession),
    /** Days after its sign-in at which a session ends, however much it is used. */
    max_age_days: z.int().optional(),
  }),
})

export const endSession = route({
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
  access: 'signed in',
  tag,
  summary: 'Sign out one session of the user.',
  params: z.object({ id: z.string().max(100) }),
  answer: Success,
})

export const endAllSessions = route({
  method: 'DELETE',
  path: '/api/auth/sessions',
  access: 'signed in',
  tag,
  summary: 'Sign out everywhere, the session of this call included.',
  answer: Success,
})
