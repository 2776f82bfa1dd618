import { MAX_RECORD_ENTRIES, RECORD_FORMAT, RECORD_MAX_BYTES, RECORD_VERSION } from '@tradewright/core/forward-record'
import { z } from 'zod'
import { Sentence, Success } from './answers.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'
import { LinkBody } from './shared-results.ts'

const tag = 'Forward records'
const params = z.object({ id: PathId })
const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'A hash has 64 hexadecimal digits.')

/** docs/forward-record.md */
export const RecordFile = z.object(
  {
    format: z.literal(RECORD_FORMAT, 'This is not a forward record.'),
    version: z.literal(RECORD_VERSION, 'The record is of a version that this program does not know.'),
    header: z.string().max(10_000),
    entries: z
      .array(z.object({ content: z.string().max(100_000), previous: Hash, hash: Hash }))
      .max(MAX_RECORD_ENTRIES),
    head: Hash,
  },
  'This is not a forward record.',
)
export type RecordFile = z.infer<typeof RecordFile>

const CalibrationBin = z.object({
  /** Probabilities from (included) to (excluded). */
  from: z.number(),
  to: z.number(),
  count: z.int(),
  said: z.number(),
  happened: z.number(),
  /** 95 % Wilson interval of what happened. */
  low: z.number(),
  high: z.number(),
})

const RecordView = z.object({
  name: z.string(),
  strategy: z.string(),
  strategy_type: z.string(),
  is_paper: z.boolean(),
  created_at: z.iso.datetime(),
  is_open: z.boolean(),
  /** When the record of a saved strategy decides next; null for a deployment, which has its own page. */
  schedule: z
    .object({
      /** The session whose bar it decides on next, and from when on. */
      next_session: z.iso.date(),
      due_at: z.iso.datetime(),
      /** Sessions without a decision: they are named, and never filled in. The newest 200. */
      missed: z.array(z.iso.date()),
      /** Why nothing is written down although it is due, as a sentence. */
      problem: Sentence.nullable(),
    })
    .nullable(),
  entry_count: z.int(),
  /** The first so many were brought by an import: this instance did not see them written. */
  imported_entries: z.int(),
  /** The number of the first entry that does not fit the chain, computed with each view; null where all fit. */
  first_bad: z.int().nullable(),
  head: Hash,
  /** The newest 200, newest first. */
  entries: z.array(
    z.object({
      seq: z.int(),
      at: z.string(),
      signal: z.string(),
      probability: z.number().nullable(),
      weights: z.record(z.string(), z.number()),
      hash: Hash,
      /** Whether what was predicted came true; null while it is not known, and where nothing is predicted. */
      happened: z.boolean().nullable(),
    }),
  ),
  predicts: z.boolean(),
  /** Null where the strategy predicts nothing, and where the chain is broken. */
  calibration: z.object({ count: z.int(), brier: z.number().nullable(), bins: z.array(CalibrationBin) }).nullable(),
  /** What the chain proves and what it does not. */
  proves: Sentence,
})
export type RecordView = z.infer<typeof RecordView>

export const getRecord = route({
  method: 'GET',
  path: '/api/deployment/:id/record',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The forward record of a deployment with its calibration; null where it has none.',
  params,
  answer: Success.extend({ record: RecordView.nullable(), link_expires_at: z.iso.datetime().nullable() }),
})

export const openRecord = route({
  method: 'POST',
  path: '/api/deployment/:id/record',
  access: 'signed in',
  addsRows: true,
  tag,
  summary: 'Write down each decision from now on, in a chain of hashes, in the transaction that decides.',
  params,
  answer: Success,
})

export const closeRecord = route({
  method: 'DELETE',
  path: '/api/deployment/:id/record',
  access: 'signed in',
  tag,
  summary: 'Write down no further decisions. What is there stays.',
  params,
  answer: Success,
})

export const getRecordFile = route({
  method: 'GET',
  path: '/api/deployment/:id/record/file',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The whole chain as a file, which `tradewright verify` checks without a server.',
  params,
  answer: RecordFile,
})

export const shareRecord = route({
  method: 'POST',
  path: '/api/deployment/:id/record/link',
  access: 'signed in',
  tag,
  summary: 'Make a link with which anyone can read the record, without an account. The previous link stops working.',
  params,
  body: LinkBody,
  answer: Success.extend({ token: z.string(), expires_at: z.iso.datetime() }),
})

export const unshareRecord = route({
  method: 'DELETE',
  path: '/api/deployment/:id/record/link',
  access: 'signed in',
  tag,
  summary: 'Revoke the link: it stops working at once.',
  params,
  answer: Success,
})

export const getStrategyRecord = route({
  method: 'GET',
  path: '/api/strategies/:id/record',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The forward record of a saved strategy with its calibration; null where it has none.',
  params,
  answer: Success.extend({ record: RecordView.nullable(), link_expires_at: z.iso.datetime().nullable() }),
})

export const openStrategyRecord = route({
  method: 'POST',
  path: '/api/strategies/:id/record',
  access: 'signed in',
  addsRows: true,
  tag,
  summary:
    'Decide with the strategy on each daily bar from now on, without trading, and write that down in a chain of hashes before the next bar begins.',
  params,
  answer: Success,
})

export const closeStrategyRecord = route({
  method: 'DELETE',
  path: '/api/strategies/:id/record',
  access: 'signed in',
  tag,
  summary: 'Write down no further decisions. What is there stays.',
  params,
  answer: Success,
})

export const getStrategyRecordFile = route({
  method: 'GET',
  path: '/api/strategies/:id/record/file',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The whole chain as a file, which `tradewright verify` checks without a server.',
  params,
  answer: RecordFile,
})

export const shareStrategyRecord = route({
  method: 'POST',
  path: '/api/strategies/:id/record/link',
  access: 'signed in',
  tag,
  summary: 'Make a link with which anyone can read the record, without an account. The previous link stops working.',
  params,
  body: LinkBody,
  answer: Success.extend({ token: z.string(), expires_at: z.iso.datetime() }),
})

export const unshareStrategyRecord = route({
  method: 'DELETE',
  path: '/api/strategies/:id/record/link',
  access: 'signed in',
  tag,
  summary: 'Revoke the link: it stops working at once.',
  params,
  answer: Success,
})

const tokenParams = z.object({ token: z.string().max(200) })

export const getSharedRecord = route({
  method: 'GET',
  path: '/api/records/:token',
  access: 'anyone',
  scope: 'any key',
  tag,
  summary:
    'A shared forward record. Unknown, expired and revoked links answer the same 404; many calls from one address 429.',
  params: tokenParams,
  answer: Success.extend({ record: RecordView, expires_at: z.iso.datetime() }),
})

export const getSharedRecordFile = route({
  method: 'GET',
  path: '/api/records/:token/file',
  access: 'anyone',
  scope: 'any key',
  tag,
  summary: 'The whole chain of a shared record as a file.',
  params: tokenParams,
  answer: RecordFile,
})

export const verifyRecordFile = route({
  method: 'POST',
  path: '/api/records/verify',
  access: 'signed in',
  scope: 'research',
  changesNothing: true,
  tag,
  summary: 'Recompute the chain of a record: whole, or the first entry that does not fit. Nothing is kept.',
  upload: {
    fields: z.object({}),
    file: 'file',
    maxBytes: RECORD_MAX_BYTES,
    description: `A forward record of at most ${RECORD_MAX_BYTES / 1024 ** 2} MB.`,
  },
  answer: Success.extend({
    is_whole: z.boolean(),
    entries: z.int(),
    head: z.string(),
    /** From 1; 0 is the header. */
    first_bad: z.int().nullable(),
    verdict: Sentence,
    proves: Sentence,
  }),
})
