import { z } from 'zod'
import { Success } from './answers.ts'
import { PASSWORD_MAX_LENGTH, SignedIn } from './auth.ts'
import { route } from './route.ts'

const tag = 'Second factor'

const FACTOR_KINDS = ['totp', 'passkey'] as const

const Factor = z.object({
  id: z.string(),
  kind: z.enum(FACTOR_KINDS),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
})
export type Factor = z.infer<typeof Factor>

/** Options for `navigator.credentials`, in the JSON form of the WebAuthn standard. */
const PasskeyOptions = z.looseObject({ challenge: z.string() })

const base64 = (name: string, max = 4096) => z.string(`${name} is missing.`).max(max)
const credential = <Response extends z.ZodRawShape>(response: Response) =>
  z.object({
    id: base64('id', 1500),
    rawId: base64('rawId', 1500),
    type: z.literal('public-key'),
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
    // Asked for none: whatever a browser adds is not read.
    clientExtensionResults: z.object({}).default({}),
    response: z.object(response),
  })

const Assertion = credential({
  clientDataJSON: base64('clientDataJSON'),
  authenticatorData: base64('authenticatorData'),
  signature: base64('signature'),
  userHandle: base64('userHandle', 200).optional(),
})
export type Assertion = z.infer<typeof Assertion>

const Attestation = credential({
  clientDataJSON: base64('clientDataJSON'),
  attestationObject: base64('attestationObject', 65_536),
  transports: z.array(z.string().max(20)).max(10).optional(),
})
export type Attestation = z.infer<typeof Attestation>

/** One of the two. A recovery code is a `code`, too. */
const Proof = z.object({ code: z.string().trim().max(60).optional(), passkey: Assertion.optional() })
export type FactorProof = z.infer<typeof Proof>

const Question = z.object({
  methods: z.array(z.enum([...FACTOR_KINDS, 'recovery code'])),
  /** Null where no passkey of the account works at this address. */
  passkey_options: PasskeyOptions.nullable(),
})
export type FactorQuestion = z.infer<typeof Question>

/** The code of the refusal of a right password that is not enough; the cookie that comes with it names the attempt. */
export const SECOND_STEP_NEEDED = 'sign-in.second-step'
/** The code of the refusal of a call that is made after the factor was given again: see `confirmFactor`. */
export const FACTOR_NEEDED = 'factor.needed'

export const getSecondStep = route({
  method: 'GET',
  path: '/api/login/second-step',
  access: 'anyone',
  tag,
  summary: 'What a sign-in that answered `sign-in.second-step` still needs. The attempt ends after ten minutes.',
  answer: Question,
})

export const signInWithFactor = route({
  method: 'POST',
  path: '/api/login/second-step',
  access: 'anyone',
  tag,
  summary: 'The second step of a sign-in: a code of the authenticator app, a recovery code or a passkey.',
  body: Proof,
  /** `return_path`: the screen that was asked for before Google was. */
  answer: SignedIn.extend({ return_path: z.string().nullable() }),
})

export const listFactors = route({
  method: 'GET',
  path: '/api/auth/factors',
  access: 'signed in',
  tag,
  summary: 'The second factors of the account, and how many recovery codes are left.',
  answer: Success.extend({
    factors: z.array(Factor),
    recovery_codes: z.int(),
    /** Passkeys need https, or localhost, and a name in place of a number. */
    passkeys_work: z.boolean(),
  }),
})

const password = z.string().max(PASSWORD_MAX_LENGTH).nullish()
const name = z
  .string('Please enter a name.')
  .trim()
  .min(1, 'Please enter a name.')
  .max(60, 'The name is too long (at most 60 characters).')
/** Only with the first factor: the answer is the only place that has them. */
const Added = Success.extend({ factor: Factor, recovery_codes: z.array(z.string()).nullable() })

export const beginTotp = route({
  method: 'POST',
  path: '/api/auth/factors/totp/begin',
  access: 'signed in',
  tag,
  summary:
    'A new secret for an authenticator app. Nothing is stored until a code proves it. The first factor requires the password, ' +
    'or a sign-in within 15 minutes where there is none; further ones the factor.',
  body: z.object({ password }),
  answer: Success.extend({ secret: z.string(), uri: z.string() }),
})

export const addTotp = route({
  method: 'POST',
  path: '/api/auth/factors/totp',
  access: 'signed in',
  addsRows: true,
  tag,
  summary: 'Add an authenticator app: its secret, and a code that proves that the app has it.',
  body: z.object({
    name,
    secret: z.string('The secret is missing.').max(64),
    code: z.string('Please enter the code of the app.').trim().max(60),
    password,
  }),
  answer: Added,
})

export const beginPasskey = route({
  method: 'POST',
  path: '/api/auth/factors/passkey/begin',
  access: 'signed in',
  tag,
  summary: 'Begin to add a passkey; asks for the same as an authenticator app.',
  body: z.object({ password }),
  answer: Success.extend({ options: PasskeyOptions }),
})

export const addPasskey = route({
  method: 'POST',
  path: '/api/auth/factors/passkey',
  access: 'signed in',
  addsRows: true,
  tag,
  summary: 'Add the passkey that the browser made.',
  body: z.object({ name, response: Attestation }),
  answer: Added,
})

export const removeFactor = route({
  method: 'DELETE',
  path: '/api/auth/factors/:id',
  access: 'signed in',
  asksFactor: 'always',
  tag,
  summary: 'Remove a second factor. With the last one, the recovery codes go too.',
  params: z.object({ id: z.string().max(100) }),
  answer: Success,
})

export const makeRecoveryCodes = route({
  method: 'POST',
  path: '/api/auth/factors/recovery-codes',
  access: 'signed in',
  asksFactor: 'always',
  tag,
  summary: 'Make ten new recovery codes; those from before end. The answer is the only place that has them.',
  answer: Success.extend({ recovery_codes: z.array(z.string()) }),
})

export const getFactorQuestion = route({
  method: 'GET',
  path: '/api/auth/factors/confirm',
  access: 'signed in',
  tag,
  summary: 'What a call that answered `factor.needed` waits for.',
  answer: Question,
})

export const confirmFactor = route({
  method: 'POST',
  path: '/api/auth/factors/confirm',
  access: 'signed in',
  tag,
  summary: 'Give the second factor again. Calls that ask for it can be made for ten minutes.',
  body: Proof,
  answer: Success,
})
