import { MAX_SIGNAL_ALLOCATIONS, MAX_SIGNALS } from '@tradewright/core/external-signal'
import { granularities } from '@tradewright/core/granularity'
import { modelCatalogue } from '@tradewright/core/model-catalogue'
import { strategyLimits } from '@tradewright/core/strategy-limits'
import { MAX_ALLOCATION_ROWS } from '@tradewright/core/ticker'
import { z } from 'zod'
import { Sentence } from './answers.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'
import { RulesTree } from './rules.ts'
import { requestShape } from './setting-schemas.ts'

export const PASSPORT_FORMAT = 'tradewright-passport'
/** Counted up when earlier programs could not read a passport. */
export const PASSPORT_VERSION = 3
export const PASSPORT_MAX_BYTES = 32 * 1024 ** 2

/*
 * The form of a passport alone: what its values mean is checked by the plan of the run and by the model, whose bounds are not
 * repeated here.
 */
const Ticker = z.string().min(1).max(100)
const Day = z.int().min(-50_000).max(100_000)
const Text = z.string().max(1000)
const AllocationRows = z.array(z.object({ ticker: Ticker, allocationPct: z.number() })).max(MAX_ALLOCATION_ROWS)
const Selection = z.object({
  id: z.union([z.int(), Text]),
  params: z.record(Text, z.union([z.number(), Text, z.boolean(), z.null()])),
})

const Strategy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('allocation'), allocation: AllocationRows }),
  z.object({
    kind: z.literal('ml'),
    trainPct: z.number(),
    walkForward: z.object({ trainPct: z.number(), testPct: z.number(), stepPct: z.number().optional() }).optional(),
    features: z.array(Selection).max(strategyLimits.features),
    target: Selection,
    buy: AllocationRows,
    sell: AllocationRows,
  }),
  z.object({ kind: z.literal('rules'), tree: RulesTree }),
  z.object({
    kind: z.literal('external'),
    allocations: z.array(z.object({ name: Text, rows: AllocationRows })).max(MAX_SIGNAL_ALLOCATIONS),
    initial: Text.nullable(),
    maxWeightPct: z.number().nullable(),
    signals: z
      .array(
        z.object({
          at: z.number(),
          target: z.union([z.object({ allocation: Text }), z.object({ weights: z.record(Ticker, z.number()) })]),
        }),
      )
      .max(MAX_SIGNALS),
  }),
])

/** The request of a run in the engine's own words; days are counted from 1970-01-01. */
const PassportRequest = z.object({ strategy: Strategy, ...requestShape(Ticker, Day) })

const samples = z.int().min(1).max(strategyLimits.samples)
const Trees = z.object({
  trees: z.int().min(1).max(strategyLimits.trees),
  maxFeatures: z.union([z.enum(['sqrt', 'log2', 'auto']), z.number().positive().max(strategyLimits.everyColumn)]),
  minSamplesLeaf: z.union([samples, z.number().positive().max(0.5)]),
  minSamplesSplit: samples,
  bootstrap: z.boolean(),
})
const Rounds = z.object({
  rounds: z.int().min(1).max(strategyLimits.boostingRounds),
  maxDepth: z.int().min(1).max(strategyLimits.boostingDepth),
  eta: z.number(),
  lambda: z.number(),
  gamma: z.number(),
  minChildWeight: z.number(),
  minLeafShare: z.number().positive().max(0.5).optional(),
  subsample: z.number(),
  colsample: z.number(),
  earlyStoppingRounds: z.int().min(1).max(strategyLimits.boostingRounds).nullable(),
})
const kinds = modelCatalogue.map(({ kind }) => kind)
const Model = z.object({ kind: z.enum(kinds), settings: z.union([Trees, Rounds]).optional() })

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'A checksum has 64 hexadecimal digits.')
const Actions = z.object({
  splits: z.array(z.object({ exDay: Day, ratio: z.number().positive().max(1e9) })).max(10_000),
  dividends: z.array(z.object({ exDay: Day, amount: z.number().min(0).max(1e9) })).max(10_000),
})

const PassportSeries = z.object({
  ticker: Ticker,
  granularity: z.enum(granularities),
  type: z.string().max(40),
  currency: z.string().max(20),
  rows: z.int().min(0).max(2_000_000),
  synthetic: z.boolean(),
  sha256: Sha256,
  /** The rows as a Parquet file in base64: `timestamp`, a column per category, and last, where it is said, when each row was known. */
  data: z
    .object({ parquet: z.string().max(PASSPORT_MAX_BYTES), has_known_at: z.boolean(), actions: Actions.optional() })
    .optional(),
})

/** A passport without its seal. */
export const SealedPart = z.object({
  format: z.literal(PASSPORT_FORMAT),
  version: z.literal(PASSPORT_VERSION),
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

/** A result that can be checked by others: what it was computed from and what it came to. docs/passports.md */
export const Passport = SealedPart.extend({
  /** The start of the SHA-256 of every other value, by its path: names what was changed after the passport was made. */
  seal: z
    .record(z.string().max(1000), z.string().regex(/^[0-9a-f]{16}$/, 'A part of the seal has 16 hexadecimal digits.'))
    .refine((seal) => Object.keys(seal).length <= 100_000, 'The seal has too many parts.'),
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
