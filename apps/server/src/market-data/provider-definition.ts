import { isCategory } from '@tradewright/core/category'
import { granularities } from '@tradewright/core/granularity'
import { trimTrailingSlashes } from '@tradewright/core/trim-slashes'
import { z } from 'zod'

/** Keys and indices from the outside in: `["Time Series", "close"]`. A dotted text such as `data.items` will do too. */
const JsonPath = z
  .union([z.string().max(500), z.array(z.union([z.string().max(100), z.int().min(0)])).max(12)])
  .transform((path) => (typeof path === 'string' ? path.split('.').filter(Boolean) : path))
export type JsonPath = z.infer<typeof JsonPath>

const DateFormat = z.enum(['date', 'instant', 'unix-seconds', 'unix-millis'])
export type DateFormat = z.infer<typeof DateFormat>

/** May hold {ticker}, {from}, {to} and {granularity}; anything else in braces is a mistake. */
const Template = z
  .string()
  .max(500)
  .refine((text) => [...text.matchAll(/\{([^{}]*)\}/g)].every(([, name]) => PLACEHOLDERS.has(name!)), {
    error: 'may only use {ticker}, {from}, {to} and {granularity}',
  })
const PLACEHOLDERS: ReadonlySet<string> = new Set(['ticker', 'from', 'to', 'granularity'])

/** Headers of the connection itself are ours. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
])
const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,60}$/, 'is not the name of a header')
  .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), { error: 'is a header that cannot be set' })
const ParameterName = z.string().regex(/^[\w.[\]-]{1,60}$/, 'is not the name of a parameter')

/** Where the key goes. The key itself is kept apart, sealed. */
const Auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('header'), name: HeaderName, prefix: z.string().max(20).default('') }),
  z.strictObject({ type: z.literal('query'), name: ParameterName }),
])

const Paging = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('page'), parameter: ParameterName, firstPage: z.int().default(1) }),
  z.strictObject({ type: z.literal('offset'), parameter: ParameterName }),
  /** The answer holds what to send for the next page. */
  z.strictObject({ type: z.literal('cursor'), parameter: ParameterName, path: JsonPath }),
])

/** No API of prices has as many; each is a column of every row. */
const MAX_CATEGORIES = 50
const MAX_URL_LENGTH = 500
/** One hour: each portion is a call of its own. */
const MIN_DAYS_PER_CALL = 1 / 24

const Records = z.strictObject({
  /** rows: a list of objects or lists. columns: parallel lists. keyed: an object whose keys are the dates. */
  shape: z.enum(['rows', 'columns', 'keyed']),
  path: JsonPath.default([]),
  /** Inside a row, or of the list in `columns`; not used for `keyed`. */
  timestamp: JsonPath.default([]),
  timestampFormat: DateFormat,
  /** Our category to the place of its value. */
  values: z
    .record(
      z.string().refine((name) => isCategory(name), 'is not the name of a category'),
      JsonPath,
    )
    .refine((values) => Object.keys(values).length > 0, { error: 'must name at least one category' })
    .refine((values) => Object.keys(values).length <= MAX_CATEGORIES, {
      error: `must name at most ${MAX_CATEGORIES} categories`,
    }),
  newestFirst: z.boolean().default(false),
})

/**
 * A custom provider as data: what to ask for and where in the answer our record is. It is interpreted and never
 * executed, whether a user or a model wrote it.
 */
export const ProviderDefinition = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{1,40}$/, 'must be lower-case letters, digits and dashes'),
  displayName: z.string().trim().min(1).max(80),
  providerType: z.string().trim().min(1).max(40).default('custom'),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .max(MAX_URL_LENGTH)
    .transform(trimTrailingSlashes),
  auth: Auth.default({ type: 'none' }),
  path: Template.startsWith('/', 'must begin with /'),
  query: z.record(ParameterName, Template).default({}),
  headers: z
    .record(
      HeaderName,
      z
        .string()
        .max(200)
        .regex(/^[\x20-\x7e]*$/, 'has characters no header may have'),
    )
    .default({}),
  /** How {from} and {to} are written, and whether {to} belongs to the range. */
  rangeFormat: DateFormat.default('date'),
  endIsInclusive: z.boolean().default(true),
  /** Our granularities to the API's words. */
  granularities: z
    .partialRecord(z.enum(granularities as [string, ...string[]]), z.string().max(40))
    .default({ '1d': '1d' }),
  /** Text to replace in a ticker, such as `-` by `/`. */
  tickerReplacements: z
    .array(z.strictObject({ from: z.string().min(1).max(10), to: z.string().max(10) }))
    .max(5)
    .default([]),
  paging: Paging.default({ type: 'none' }),
  records: Records,
  limits: z
    .strictObject({
      callsPerMinute: z.int().min(1).max(6_000).default(60),
      daysPerCall: z.number().min(MIN_DAYS_PER_CALL).optional(),
      daysBack: z.int().positive().optional(),
    })
    .default({ callsPerMinute: 60 }),
  currency: z.string().trim().min(1).max(10).default('USD'),
})
export type ProviderDefinition = z.infer<typeof ProviderDefinition>
