import { z } from 'zod'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { GRANULARITIES, idParams, LAYERS, shortWordList, wordList } from './data-collector-fields.ts'
import { optionalDate } from './dates.ts'
import { idField, limitField, pageField } from './ids.ts'
import { route } from './route.ts'

const tag = 'Data Collector'

export const SORT_FIELDS = [
  'ticker',
  'timestamp',
  'category',
  'type',
  'value',
  'currency',
  'provider',
  'collected_at',
] as const
export const BROWSE_PAGE_SIZE = 50

export const getAvailableData = route({
  method: 'GET',
  path: '/api/data-collector/data/available',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'What the filters of a store and layer may offer.',
  query: z.object({ store_id: idField.optional(), layer: z.enum(LAYERS).default('gold') }),
  answer: Success.extend({
    tickers: z.array(z.string()),
    categories: z.array(z.string()),
    providers: z.array(z.string()),
    granularities: z.array(z.string()),
    date_range: z.object({ min: z.iso.date().nullable(), max: z.iso.date().nullable() }),
  }),
})

export const Filters = z.object({
  tickers: wordList,
  categories: wordList,
  providers: wordList,
  start_date: optionalDate,
  end_date: optionalDate,
  store_id: z
    .union([idField, z.literal('')])
    .nullish()
    .transform((value) => value || undefined),
  layer: z.enum(LAYERS, `layer must be one of ${LAYERS.join(', ')}.`).default('gold'),
  /** What the store held at this moment; left out: what it holds now. */
  as_of: z.iso
    .datetime('as_of must be a moment in UTC like 2024-12-31T15:30:00Z.')
    .max(40)
    .nullish()
    .transform((moment) => moment ?? undefined),
})

/** A file, and so no call of the contract: the filters as a query, lists separated by commas. */
export const DATA_EXPORT_PATH = '/api/data-collector/data/export'
export const DATA_EXPORT_SCOPE = 'read'
export const EXPORT_FORMATS = ['parquet', 'csv'] as const
export const ExportQuery = Filters.extend({
  store_id: z.coerce
    .number('store_id must be a number.')
    .int()
    .positive()
    .optional()
    .transform((id) => id),
  format: z.enum(EXPORT_FORMATS, `format must be one of ${EXPORT_FORMATS.join(', ')}.`).default('parquet'),
})

/** `synthetic` is true for rows of the sample market, which must never pass for real. */
export const DataRecord = z.object({
  ticker: z.string(),
  timestamp: z.iso.datetime(),
  category: z.string(),
  type: z.string(),
  value: z.number(),
  currency: z.string(),
  provider: z.string(),
  collected_at: z.iso.datetime(),
  granularity: z.string(),
  synthetic: z.boolean(),
})
export type DataRecord = z.infer<typeof DataRecord>

export const browseData = route({
  method: 'POST',
  path: '/api/data-collector/data/browse',
  access: 'signed in',
  scope: 'read',
  changesNothing: true,
  tag,
  summary: 'A page of stored records.',
  body: Filters.extend({
    page: pageField,
    per_page: limitField('per_page', 1_000, BROWSE_PAGE_SIZE),
    sort_by: z.enum(SORT_FIELDS, `sort_by must be one of ${SORT_FIELDS.join(', ')}.`).default('timestamp'),
    sort_order: z.enum(['asc', 'desc'], 'sort_order must be asc or desc.').default('desc'),
    search: z.string().trim().max(200).nullish(),
  }),
  answer: Success.extend({ records: z.array(DataRecord), page: z.int(), pages: z.int(), total: z.int() }),
})

export const StarterTransform = z.object({
  name: z.string(),
  description: z.string(),
  required_categories: z.array(z.string()),
  computed_columns: z.array(z.object({ name: z.string(), description: z.string() })),
})
export type StarterTransform = z.infer<typeof StarterTransform>

export const listStarterTransforms = route({
  method: 'GET',
  path: '/api/data-collector/transforms/starter-kit',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The starter transforms.',
  answer: Success.extend({ transforms: z.array(StarterTransform) }),
})

/** Cells are numbers, or null where there is no value. */
const TransformRow = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

export const browseWithTransforms = route({
  method: 'POST',
  path: '/api/data-collector/data/browse-with-transforms',
  access: 'signed in',
  scope: 'read',
  changesNothing: true,
  tag,
  summary: 'Stored data as a table with a column per category, and a starter transform computed on it.',
  body: Filters.extend({
    pivot: z.boolean().default(true),
    starter_transform: z.string().trim().max(200).nullish(),
    data_granularity: z.enum(GRANULARITIES).nullish(),
  }),
  answer: Success.extend({
    row_count: z.int(),
    columns: z.array(z.object({ name: z.string() })),
    data: z.array(TransformRow),
    synthetic: z.boolean(),
  }),
})

export const SavedQuery = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  tickers: z.array(z.string()),
  categories: z.array(z.string()),
  providers: z.array(z.string()),
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  is_default: z.boolean(),
  use_count: z.int(),
})
export type SavedQuery = z.infer<typeof SavedQuery>

export const SavedQueryBody = z.object({
  name: z.string('A name is required to save a query.').trim().min(1, 'A name is required to save a query.').max(200),
  description: z
    .string()
    .trim()
    .max(2_000)
    .nullish()
    .transform((text) => text ?? ''),
  tickers: shortWordList,
  categories: shortWordList,
  providers: shortWordList,
  start_date: optionalDate,
  end_date: optionalDate,
})

export const listSavedQueries = route({
  method: 'GET',
  path: '/api/data-collector/saved-queries',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The saved queries of the signed-in user.',
  answer: Success.extend({ queries: z.array(SavedQuery), left_out: LeftOutCount }),
})

export const saveQuery = route({
  method: 'POST',
  path: '/api/data-collector/saved-queries',
  access: 'signed in',
  scope: 'research',
  addsRows: true,
  tag,
  summary: 'Save a set of filters.',
  body: SavedQueryBody,
  answer: Success.extend({ query: SavedQuery }),
})

export const applySavedQuery = route({
  method: 'PUT',
  path: '/api/data-collector/saved-queries/:id',
  access: 'signed in',
  scope: 'research',
  addsRows: true,
  tag,
  summary: 'Count a use of a saved query; with a name, also change it.',
  params: idParams,
  body: SavedQueryBody.extend({ name: SavedQueryBody.shape.name.optional() }),
  answer: Success.extend({ query: SavedQuery }),
})

export const deleteSavedQuery = route({
  method: 'DELETE',
  path: '/api/data-collector/saved-queries/:id',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Delete a saved query.',
  params: idParams,
  answer: Success,
})

export const SEC_TICKERS_MAX = 200

export const getSecTickers = route({
  method: 'GET',
  path: '/api/data-collector/sec-tickers',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The largest companies that report to the SEC. A limit outside 1 to 200 is clamped.',
  query: z.object({
    limit: z.coerce
      .number('limit must be a number.')
      .default(50)
      .transform((limit) => Math.min(SEC_TICKERS_MAX, Math.max(1, Math.trunc(limit)))),
  }),
  answer: Success.extend({ tickers: z.array(z.string()) }),
})

export const IMPORT_MAX_BYTES = 64 * 1024 * 1024

/** Limits of one file. `values` are rows times the columns that are taken. */
export const IMPORT_LIMITS = { rows: 2_000_000, columns: 200, values: 12_000_000, cellCharacters: 10_000 }

/** A header of the file to a category, or to `date`. */
const ColumnChoice = z.record(z.string(), z.string().max(100))

/** The fields beside the file; one that is empty counts as left out. */
export const ImportFields = z.object({
  ticker: z.string('A ticker is required.').trim().min(1, 'A ticker is required.').max(100),
  granularity: z.enum(GRANULARITIES, `granularity must be one of ${GRANULARITIES.join(', ')}.`).default('1d'),
  columns: z
    .string()
    .max(100_000)
    .transform((text, context) => {
      const read = ColumnChoice.safeParse(jsonOf(text))
      if (read.success) return read.data
      context.addIssue({
        code: 'custom',
        message: 'columns must be JSON that maps a header of the file to a category.',
      })
      return z.NEVER
    })
    .optional()
    .describe('JSON that maps a header of the file to a category, or to date. Usual headers can be left out.'),
  known_after_days: z
    .literal('')
    .transform(() => undefined)
    .or(
      z.coerce
        .number('known_after_days must be a whole number from 1 to 3650.')
        .int('known_after_days must be a whole number from 1 to 3650.')
        .min(1, 'known_after_days must be a whole number from 1 to 3650.')
        .max(3650, 'known_after_days must be a whole number from 1 to 3650.'),
    )
    .optional()
    .describe(
      'For values that are no prices, in a file without a column known_at: days from the date of a row to its publication. ' +
        'Left out: the end of the period after its own.',
    ),
  currency: z
    .literal('')
    .transform(() => undefined)
    .or(
      z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{3}$/, 'currency must be the code of a currency, such as EUR.'),
    )
    .optional()
    .describe('Of the prices. Left out: what a column or a header of the file says, else USD.'),
  store: idField.optional(),
})

export const importCsv = route({
  method: 'POST',
  path: '/api/data-collector/import',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Import a CSV file as a series of provider csv. One import of a user runs at a time.',
  upload: {
    fields: ImportFields,
    file: 'file',
    maxBytes: IMPORT_MAX_BYTES,
    description:
      `A CSV file in UTF-8 of at most ${IMPORT_MAX_BYTES / 1024 ** 2} MB, ` +
      `${IMPORT_LIMITS.rows.toLocaleString('en-US')} rows, ${IMPORT_LIMITS.columns} columns and ` +
      `${IMPORT_LIMITS.values.toLocaleString('en-US')} values.`,
  },
  answer: Success.extend({
    ticker: z.string(),
    rows: z.int(),
    records_stored: z.int(),
    message: Sentence,
    notes: z.array(Sentence),
  }),
})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
