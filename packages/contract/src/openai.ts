import { trimTrailingSlashes } from '@tradewright/core/trim-slashes'
import { z } from 'zod'
import { Sentence, Success } from './answers.ts'
import { route } from './route.ts'

/** The choices of the form, in its order. A connected server may offer others. */
export const OPENAI_MODELS = ['gpt-4o-mini', 'gpt-4o', 'gpt-4', 'gpt-3.5-turbo'] as const
export const DEFAULT_OPENAI_MODEL = OPENAI_MODELS[0]

export const NO_OPENAI_KEY = 'Please enter your OpenAI API key'
const KEY_MAX_LENGTH = 500
const URL_MAX_LENGTH = 500

const WRONG_CHARACTERS = 'The API key has characters that no key has.'

/** A missing one is refused by the server in the form's own words. */
const ApiKey = z
  .string(NO_OPENAI_KEY)
  .trim()
  .max(KEY_MAX_LENGTH, 'The API key is too long.')
  .regex(/^[\x21-\x7e]*$/, WRONG_CHARACTERS)
  .nullish()

const ModelName = z
  .string('Please choose a model.')
  .trim()
  .min(1, 'Please choose a model.')
  .max(200, 'The name of the model is too long.')

const ADDRESS = 'The server address must begin with http:// or https://.'
const BaseUrl = z
  .string(ADDRESS)
  .trim()
  .max(URL_MAX_LENGTH, 'The server address is too long.')
  .transform(trimTrailingSlashes)
  .pipe(z.union([z.literal(''), z.url({ protocol: /^https?$/, error: ADDRESS })], ADDRESS))
  .transform((text) => text || null)

/** The key itself never comes back. */
export const OpenAiStatus = z.object({
  connected: z.boolean(),
  model_preference: z.string(),
  last_used: z.iso.datetime().nullable(),
  /** A compatible server that the user named; null: the one this site is configured with. */
  base_url: z.string().nullable(),
  /** Why the key could not be checked when it was saved; null where it was. */
  unverified_reason: Sentence.nullable(),
  /** The stored key can no longer be read: it has to be entered again. */
  enter_again: z.boolean().optional(),
})
export type OpenAiStatus = z.infer<typeof OpenAiStatus>

const tag = 'OpenAI'

export const getOpenAiStatus = route({
  method: 'GET',
  path: '/api/openai/status',
  access: 'signed in',
  tag,
  summary: 'Whether the signed-in user has connected a model, and which.',
  answer: OpenAiStatus,
})

export const OfferedModel = z.object({
  id: z.string(),
  /** False: the connected server does not list it, so that calls would fail. */
  offered: z.boolean(),
  /** `YYYY-MM-DD`, where the server announces one. */
  shutdown_date: z.string().nullable(),
})
export type OfferedModel = z.infer<typeof OfferedModel>

export const listOpenAiModels = route({
  method: 'GET',
  path: '/api/openai/models',
  access: 'signed in',
  tag,
  summary: 'The models to choose from: the fixed ones, and what the connected server lists.',
  answer: z.object({
    models: z.array(OfferedModel),
    /** Why the server could not be asked; the fixed ones are listed all the same. */
    unverified_reason: Sentence.nullable(),
  }),
})

export const connectOpenAi = route({
  method: 'POST',
  path: '/api/openai/connect',
  access: 'signed in',
  tag,
  summary:
    'Connect a model. The key is checked with its server first: a refused one is not saved; when the server does not ' +
    'answer, it is saved as not verified yet.',
  body: z.object({
    api_key: ApiKey,
    model_preference: ModelName.default(DEFAULT_OPENAI_MODEL),
    /** The address of an OpenAI-compatible server; left out or empty: the one this site is configured with. */
    base_url: BaseUrl.nullish(),
  }),
  answer: Success.extend({ unverified_reason: Sentence.nullable() }),
})

export const updateOpenAiModel = route({
  method: 'POST',
  path: '/api/openai/update-model',
  access: 'signed in',
  tag,
  summary: 'Choose another model of the connected server. An unknown one answers 400.',
  body: z.object({ model_preference: ModelName }),
  answer: Success,
})

export const disconnectOpenAi = route({
  method: 'POST',
  path: '/api/openai/disconnect',
  access: 'signed in',
  tag,
  summary: 'Forget the key. The built-in assistant answers instead.',
  answer: Success,
})
