import { isCategory } from '@tradewright/core/category'
import { MAX_SIGNAL_ALLOCATIONS, MAX_SIGNALS } from '@tradewright/core/external-signal'
import { granularities } from '@tradewright/core/granularity'
import { modelCatalogue } from '@tradewright/core/model-catalogue'
import { z } from 'zod'
import { Sentence } from './answers.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'
import { RulesTree } from './rules.ts'

export const PASSPORT_FORMAT = 'tradewright-passport'
/**
 * Counted up when earlier programs could not read a passport. 2: rows are Parquet files. One without rows is of version 1,
 * which every program reads.
 */
export const PASSPORT_VERSION = 2
export const PASSPORT_VERSION_WITHOUT_ROWS = 1
export const PASSPORT_MAX_BYTES = 32 * 1024 ** 2

const Ticker = z.string().min(1).max(100)
const Day = z.int().min(-50_000).max(100_000)
const Bounded = z.number().min(-1e15).max(1e15)
const AllocationRows = z.array(z.object({ ticker: Ticker, allocationPct: Bounded })).max(500)
const Selection = z.object({
  id: z.union([z.int(), z.string().max(100)]),
  params: z.record(z.string().max(100), z.union([Bounded, z.string().max(200), z.boolean(), z.null()])),
})

const Strategy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('allocation'), allocation: AllocationRows }),
  z.object({
    kind: z.literal('ml'),
    trainPct: Bounded,
    walkForward: z.object({ trainPct: Bounded, testPct: Bounded, stepPct: Bounded.optional() }).optional(),
    features: z.array(Selection).max(200),
    target: Selection,
    buy: AllocationRows,
    sell: AllocationRows,
  }),
  z.object({ kind: z.literal('rules'), tree: RulesTree }),
  z.object({
    kind: z.literal('external'),
    allocations: z.array(z.object({ name: z.string().max(40), rows: AllocationRows })).max(MAX_SIGNAL_ALLOCATIONS),
    initial: z.string().max(40).nullable(),
    maxWeightPct: Bounded.nullable(),
    signals: z
      .array(
        z.object({
          at: z.number().min(-1e15).max(1e15),
          target: z.union([
            z.object({ allocation: z.string().max(40) }),
            z.object({ weights: z.record(Ticker, Bounded) }),
          ]),
        }),
      )
      .max(MAX_SIGNALS),
  }),
])

/** The request of a run in the engine's own words; days are counted from 1970-01-01. */
const PassportRequest = z.object({
  strategy: Strategy,
  from: Day,
  to: Day,
  includeFirstReturn: z.boolean(),
  granularity: z.enum(granularities),
  startValue: Bounded,
  cashflow: Bounded,
  cashflowFrequency: z.enum(['yearly', 'monthly', 'quarterly']),
  cashflowKind: z.enum(['dollars', 'percent', 'inflation']).optional(),
  adjustInflation: z.boolean(),
  reinvestDividends: z.boolean(),
  referenceTicker: Ticker.optional(),
  rebalanceFrequency: z.enum(['none', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly']),
  rebalanceBandPct: Bounded.optional(),
  tradingCostBps: Bounded,
  commission: Bounded,
  fillTiming: z.enum(['next_open', 'next_close', 'same_close']),
  seed: z.int(),
  shortBorrowPct: Bounded.optional(),
  riskFreeTicker: Ticker.optional(),
  allowMixedPrices: z.boolean(),
  endedTicker: z.enum(['stop', 'cash', 'replace']),
  replacementTicker: Ticker.optional(),
})

/** As many trees as the form allows, and no setting that would take hours. */
const Trees = z.object({
  trees: z.int().min(1).max(2000),
  maxFeatures: z.union([z.enum(['sqrt', 'log2', 'auto']), z.number().positive().max(10_000)]),
  minSamplesLeaf: z.int().min(1).max(1e6),
  minSamplesSplit: z.int().min(2).max(1e6),
  bootstrap: z.boolean(),
})
const Rounds = z.object({
  rounds: z.int().min(1).max(2000),
  maxDepth: z.int().min(1).max(32),
  eta: z.number().positive().max(1),
  lambda: z.number().min(0).max(1e6),
  gamma: z.number().min(0).max(1e6),
  minChildWeight: z.number().min(0).max(1e6),
  subsample: z.number().positive().max(1),
  colsample: z.number().positive().max(1),
  earlyStoppingRounds: z.int().min(1).max(2000).nullable(),
})
const kinds = modelCatalogue.map(({ kind }) => kind)
const Model = z.object({ kind: z.enum(kinds), settings: z.union([Trees, Rounds]).optional() })

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'A checksum has 64 hexadecimal digits.')
const Packed = z.string().max(PASSPORT_MAX_BYTES)
const Actions = z.object({
  splits: z.array(z.object({ exDay: Day, ratio: z.number().positive().max(1e9) })).max(10_000),
  dividends: z.array(z.object({ exDay: Day, amount: z.number().min(0).max(1e9) })).max(10_000),
})

/** The rows as a Parquet file in base64: `timestamp`, a column per category, and last, where it is said, when each row was known. */
const ParquetRows = z.object({ parquet: Packed, has_known_at: z.boolean(), actions: Actions.optional() })

/** Of version 1: columns as 64-bit floats, least significant byte first, compressed with Zstandard, in base64. */
const PackedColumns = z.object({
  timestamps: Packed,
  columns: z
    .record(z.string().refine(isCategory, 'The name of a column has lower-case letters, digits and _.'), Packed)
    .refine((columns) => Object.keys(columns).length <= 64, 'A series has at most 64 columns.'),
  known_at: Packed.optional(),
  actions: Actions.optional(),
})

const PassportSeries = z.object({
  ticker: Ticker,
  granularity: z.enum(granularities),
  type: z.string().max(40),
  currency: z.string().max(20),
  rows: z.int().min(0).max(2_000_000),
  synthetic: z.boolean(),
  sha256: Sha256,
  data: z.union([ParquetRows, PackedColumns]).optional(),
})

/** A result that can be checked by others: what it was computed from and what it came to. docs/passports.md */
export const Passport = z.object({
  format: z.literal(PASSPORT_FORMAT),
  version: z.literal([PASSPORT_VERSION_WITHOUT_ROWS, PASSPORT_VERSION]),
  made_by: z.object({ program: z.string().max(40), engine: z.string().max(40), commit: z.string().max(64).nullable() }),
  request: PassportRequest,
  model: Model.nullable(),
  series: z.array(PassportSeries).min(1).max(1000),
  result: z.object({
    sha256: Sha256,
    figures: z
      .record(z.string().max(300), z.union([z.number(), z.string().max(2000), z.boolean(), z.null()]))
      .refine((figures) => Object.keys(figures).length <= 50_000, 'There are too many figures.'),
    columns: z
      .record(z.string().max(300), z.object({ count: z.int().min(0), sha256: Sha256 }))
      .refine((columns) => Object.keys(columns).length <= 50_000, 'There are too many columns.'),
  }),
  /** The account at every bar, where there are not too many. */
  account: z.object({ days: z.array(Day).max(20_000), values: z.array(z.number().nullable()).max(20_000) }).nullable(),
})
export type Passport = z.infer<typeof Passport>

export const getPassport = route({
  method: 'GET',
  path: '/api/backtests/:id/passport',
  access: 'signed in',
  scope: 'read',
  tag: 'Backtests',
  summary:
    'The passport of a result: strategy, settings, seed, versions and the SHA-256 of every series and of the result, with ' +
    'nothing about its owner. With rows=true it holds the rows as well, as long as they are those of the run.',
  params: z.object({ id: PathId }),
  query: z.object({ rows: z.enum(['true', 'false'], 'rows must be true or false.').default('false') }),
  answer: Passport,
})

export const PassportVerdict = z.object({
  identical: z.boolean(),
  /** The verdict as a sentence. */
  verdict: Sentence,
  /** The first value that differs, and some after it; parts of the file that were changed come first. */
  differences: z.array(Sentence),
  /** Where the series of this instance are others than those of the passport. */
  data_differences: z.array(Sentence),
  notes: z.array(Sentence),
})
export type PassportVerdict = z.infer<typeof PassportVerdict>

export const verifyPassport = route({
  method: 'POST',
  path: '/api/passports/verify',
  access: 'signed in',
  scope: 'research',
  changesNothing: true,
  tag: 'Backtests',
  summary:
    'Run a passport again, on its rows or, where it has none, on the data of this instance, and compare ' +
    'every value to the last bit. Nothing is kept.',
  upload: {
    fields: z.object({}),
    file: 'file',
    maxBytes: PASSPORT_MAX_BYTES,
    description: `A passport of at most ${PASSPORT_MAX_BYTES / 1024 ** 2} MB.`,
  },
  answer: PassportVerdict,
})
