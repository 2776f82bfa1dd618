import { z } from 'zod'
import { Success } from './answers.ts'
import { emailField } from './auth.ts'
import { route } from './route.ts'
import type { ScreenPath } from './screens.ts'

const tag = 'E-mail address'

export const getEmail = route({
  method: 'GET',
  path: '/api/auth/email',
  access: 'signed in',
  tag,
  summary: 'The e-mail address of the signed-in user, and whether it is verified.',
  answer: z.object({
    /** Null where the user has given none. */
    email: z.string().nullable(),
    verified: z.boolean(),
    /** An address whose link was sent and not opened yet. */
    pending_email: z.string().nullable(),
    /** Whether this server sends mail. */
    can_verify: z.boolean(),
  }),
})
export type OwnEmail = z.infer<typeof getEmail.answer>

export const sendEmailVerification = route({
  method: 'POST',
  path: '/api/auth/email/verify',
  access: 'signed in',
  asksFactor: 'always',
  tag,
  summary: 'Send a link that verifies an address: `email`, or without it the address that the user has.',
  body: z.object({ email: emailField.nullish() }),
  answer: Success.extend({ email: z.string() }),
})

export const confirmEmail = route({
  method: 'POST',
  path: '/api/auth/email/confirm',
  access: 'anyone',
  tag,
  summary: 'Verify an address with the token of its link. A token works once.',
  body: z.object({ token: z.string('The link is incomplete.').max(200) }),
  answer: Success.extend({ email: z.string() }),
})

/** Where the link in the mail leads; the token is in its query. */
export const VERIFY_EMAIL_PATH = '/verify-email' satisfies ScreenPath
