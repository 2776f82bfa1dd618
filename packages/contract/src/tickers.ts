import { z } from 'zod'
import { Success } from './answers.ts'
import { limitField } from './ids.ts'
import { route } from './route.ts'

const tag = 'Tickers'
const MAX_TEXT = 60

/** A year where the day is not known. */
const dataSince = z
  .string()
  .regex(/^\d{4}(-\d\d-\d\d)?$/)
  .nullable()

export const FoundTicker = z.object({
  ticker: z.string(),
  name: z.string(),
  /** `stored`: in the signed-in user's default store. `catalogue`: built in. `sec`: the SEC's list of companies. */
  source: z.enum(['stored', 'catalogue', 'sec']),
  /** Where the stored rows came from, or which provider would be asked; null for what is computed. */
  provider: z.string().nullable(),
  data_since: dataSince,
})
export type FoundTicker = z.infer<typeof FoundTicker>

export const searchTickers = route({
  method: 'GET',
  path: '/api/tickers/search',
  access: 'signed in',
  scope: 'read',
  tag,
  summary:
    'Tickers whose symbol or name has the text, best first: stored series, the built-in catalogue, companies of the SEC. ' +
    'Without text, what is stored and the most common tickers.',
  query: z.object({
    q: z.string().max(MAX_TEXT, `A search has at most ${MAX_TEXT} characters.`).default(''),
    limit: limitField('limit', 20, 8),
  }),
  answer: Success.extend({ tickers: z.array(FoundTicker) }),
})

const TICKER_STATES = ['stored', 'available', 'computed', 'unchecked', 'missing', 'unreachable'] as const

export const TickerLookup = z.object({
  ticker: z.string(),
  /** Null where none is known. */
  name: z.string().nullable(),
  /**
   * `stored`: in the default store. `available`: the provider has it. `computed`: needs no data. `unchecked`: the provider
   * has no call to ask about a ticker, or was asked too often. `missing`: it does not know it. `unreachable`: it does not answer.
   */
  state: z.enum(TICKER_STATES),
  /** The provider that the rows came from, or that was asked or would be; null where none offers such a ticker. */
  provider: z.string().nullable(),
  data_since: dataSince,
  /** Without real data, a run would use the sample market. */
  sample: z.boolean(),
})
export type TickerLookup = z.infer<typeof TickerLookup>

export const lookUpTicker = route({
  method: 'GET',
  path: '/api/tickers/lookup',
  access: 'signed in',
  scope: 'read',
  tag,
  summary:
    'Name of one ticker, where its data would come from and since when. Leverage such as ?L=2 is ignored. A provider is ' +
    'asked about at most 20 a minute for one user; beyond that the state is `unchecked`.',
  query: z.object({ ticker: z.string().max(MAX_TEXT, `A ticker has at most ${MAX_TEXT} characters.`) }),
  answer: Success.extend(TickerLookup.shape),
})
