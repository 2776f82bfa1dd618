import { z } from 'zod'
import { Success } from './answers.ts'
import { route } from './route.ts'

/** Long enough for any e-mail address (RFC 5321 allows 254), short enough for an index. */
export const USERNAME_MAX_LENGTH = 254
/** Argon2 would take more, but hashing a megabyte is a way to keep a server busy. */
export const PASSWORD_MAX_LENGTH = 1024

/** Refused in any text that is stored: control characters, and halves of surrogate pairs, which no encoding can keep. */
const isStorable = (value: string) => value.isWellFormed() && !/\p{Cc}/u.test(value)
/** A name of spaces and invisible characters alone looks blank on every screen. */
const isVisible = (value: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(value)

/** The sentence for a missing field is the same whatever is wrong with its type. */
const username = z
  .string('Username is required.')
  .trim()
  .min(1, 'Username is required.')
  .max(USERNAME_MAX_LENGTH, `Username is too long (at most ${USERNAME_MAX_LENGTH} characters).`)
  .refine(isStorable, 'Username must not contain control characters.')
  .refine(isVisible, 'Username is required.')
export const emailField = z
  .string('E-mail must be text.')
  .trim()
  .max(USERNAME_MAX_LENGTH, `E-mail is too long (at most ${USERNAME_MAX_LENGTH} characters).`)
  .refine(isStorable, 'E-mail must not contain control characters.')
const password = z
  .string('Password is required.')
  .refine((value) => value.trim() !== '', 'Password is required.')
  .max(PASSWORD_MAX_LENGTH, `Password is too long (at most ${PASSWORD_MAX_LENGTH} characters).`)

export const User = z.object({ id: z.int(), username: z.string(), email: z.string() })
export type User = z.infer<typeof User>

/** `token` is a bearer token for the same session as the cookie that comes with the answer. */
export const SignedIn = User.extend({ token: z.string() })
export type SignedIn = z.infer<typeof SignedIn>

export const register = route({
  method: 'POST',
  path: '/api/register',
  ownQueue: true,
  access: 'anyone',
  tag: 'Sign-in',
  summary: 'Register a user and sign in. `invite` is the token of an invitation, where new accounts need one.',
  body: z.object({ username, email: emailField.nullish(), password, invite: z.string().max(200).nullish() }),
  answer: SignedIn,
})

export const getRegistration = route({
  method: 'GET',
  path: '/api/auth/registration',
  access: 'anyone',
  tag: 'Sign-in',
  summary: 'Whether visitors may register, and how long a password has to be.',
  answer: z.object({
    /** `invite`: with an invitation alone. An instance without accounts is `open` to the first. */
    registration: z.enum(['open', 'invite', 'closed']),
    min_password_length: z.int(),
  }),
})
export type RegistrationInfo = z.infer<typeof getRegistration.answer>

export const login = route({
  method: 'POST',
  path: '/api/login',
  ownQueue: true,
  access: 'anyone',
  tag: 'Sign-in',
  summary: 'Sign in. The username is sent as `email`.',
  body: z.object({ email: username, password }),
  answer: SignedIn,
})

export const logout = route({
  method: 'POST',
  path: '/logout',
  access: 'anyone',
  tag: 'Sign-in',
  summary: 'End the session of the cookie or bearer token. Also answers success without a session.',
  answer: Success,
})

export const getUser = route({
  method: 'GET',
  path: '/api/user',
  access: 'signed in',
  tag: 'Sign-in',
  summary: 'The signed-in user.',
  answer: User,
})

export const getAuthMethods = route({
  method: 'GET',
  path: '/api/auth/methods',
  access: 'signed in',
  tag: 'Sign-in methods',
  summary: 'The ways in which the user can sign in.',
  answer: z.object({
    password_enabled: z.boolean(),
    google_linked: z.boolean(),
    google_email: z.string().nullable(),
    oauth_provider: z.string().nullable(),
    /** Whether there is a password to switch on or to change; beside the specification's fields. */
    has_password: z.boolean().optional(),
  }),
})

export const linkGoogle = route({
  method: 'POST',
  path: '/api/auth/google/link',
  access: 'signed in',
  asksFactor: 'always',
  tag: 'Sign-in methods',
  summary:
    'Begin to link a Google account; the browser then goes to `redirect_url`. Requires the password of the user.',
  body: z.object({ password: z.string().max(PASSWORD_MAX_LENGTH).nullish() }),
  answer: z.object({ redirect_url: z.string() }),
})

export const unlinkGoogle = route({
  method: 'POST',
  path: '/api/auth/google/unlink',
  access: 'signed in',
  asksFactor: 'always',
  tag: 'Sign-in methods',
  summary: 'Unlink the Google account. Refused while password sign-in is off.',
  answer: Success,
})

export const togglePassword = route({
  method: 'POST',
  path: '/api/auth/password/toggle',
  access: 'signed in',
  asksFactor: 'always',
  tag: 'Sign-in methods',
  summary: 'Switch password sign-in on or off. Off needs a linked Google account.',
  body: z.object({ enable: z.boolean('enable must be true or false.') }),
  answer: Success,
})

export const setPassword = route({
  method: 'POST',
  path: '/api/auth/password/set',
  access: 'signed in',
  asksFactor: 'always',
  tag: 'Sign-in methods',
  summary: 'Set the first password of a user who registered through Google, and switch password sign-in on.',
  body: z.object({ password }),
  answer: Success,
})

export const changePassword = route({
  method: 'POST',
  path: '/api/auth/password/change',
  access: 'signed in',
  asksFactor: 'always',
  tag: 'Sign-in methods',
  summary: 'Change the password, given the current one. Every other session of the user ends.',
  body: z.object({
    current_password: z.string('Please enter your current password.').max(PASSWORD_MAX_LENGTH),
    new_password: password,
  }),
  answer: Success,
})

/**
 * Browser links, not calls: they answer with redirects. The first takes the token of an invitation as `?invite=`, and the
 * screen to go on to as `?return=`.
 */
export const GOOGLE_LOGIN_PATH = '/api/auth/google/login'
export const GOOGLE_CALLBACK_PATH = '/api/auth/google/callback'

/** Codes of `/login?error=` after a sign-in through Google that did not work. */
export const GOOGLE_LOGIN_ERRORS = [
  'google_unavailable',
  'invalid_state',
  'invalid_oauth_response',
  'access_denied',
  'email_taken',
  'registration_closed',
  'invitation_needed',
  'invitation_ended',
  'login_failed',
] as const
export type GoogleLoginError = (typeof GOOGLE_LOGIN_ERRORS)[number]

/** Codes of `/settings?error=` after linking did not work; when it did, `/settings?success=google_linked`. */
export const GOOGLE_LINK_ERRORS = [
  'invalid_state',
  'invalid_oauth_response',
  'google_account_already_linked',
  'linking_failed',
] as const
export type GoogleLinkError = (typeof GOOGLE_LINK_ERRORS)[number]
