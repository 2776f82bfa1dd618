import {
  CONSTRUCTION_LIMITS,
  constructionMethodIds,
  constructionMethods,
  constructionRebalances,
  covarianceEstimatorIds,
} from '@tradewright/core/construction-catalogue'
import { z } from 'zod'
import { boundedRecord } from './bounds.ts'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { CurveMetrics, Figure, IsoDate, SplicedTickers } from './backtest-figures.ts'
import { BacktestForm } from './backtest-form.ts'
import { PathId } from './ids.ts'
import { longList } from './long-list.ts'
import { route } from './route.ts'
import { SavedConfig } from './strategies.ts'

/** The `kind` of a construction on `/api/events`; its `subject` is the construction's id as text. */
export const CONSTRUCTION_JOB = 'portfolio-construction'

const tag = 'Portfolio construction'
const params = z.object({ id: PathId })
const Percent = z.number().min(0).max(100)
const Ticker = z.string().min(1).max(60)

const methodList = constructionMethods.map(({ id, label }) => `${id}: ${label}`).join('; ')

const Method = z.object({
  id: z.enum(constructionMethodIds).describe(methodList),
  parameters: boundedRecord(z.string().max(40), z.number(), { max: 20, what: 'The parameters of a method' })
    .default({})
    .describe('By the keys of the catalogue: risk_aversion, confidence_pct, tau. Left out: their defaults'),
})

const { windowMonths } = CONSTRUCTION_LIMITS

export const ConstructionRequest = z.object({
  backtest: BacktestForm.omit({
    saveStrategy: true,
    saveBacktest: true,
    backtestName: true,
    referenceBacktestId: true,
    runId: true,
  }).describe(
    'The fields of POST /api/backtest, of a strategy of type Asset Allocation: tickers, period and costs; percentages, your own weights, may be left out',
  ),
  methods: z.array(Method).min(1).max(constructionMethodIds.length),
  covariance: z.enum(covarianceEstimatorIds).default('ledoit_wolf'),
  window_months: z
    .number()
    .min(windowMonths.min)
    .max(windowMonths.max)
    .default(windowMonths.default)
    .describe('Of daily returns before each rebalance, from which risks and returns are estimated'),
  rebalance: z.enum(constructionRebalances).default('quarterly'),
  min_pct: Percent.default(0).describe('Of every ticker that has no bound of its own'),
  max_pct: Percent.default(100),
  bounds: z
    .array(z.object({ ticker: Ticker, min_pct: Percent, max_pct: Percent }))
    .max(CONSTRUCTION_LIMITS.tickers.max)
    .default([]),
  groups: z
    .array(
      z.object({
        name: z.string().min(1).max(60),
        tickers: z.array(Ticker).max(CONSTRUCTION_LIMITS.tickers.max),
        min_pct: Percent,
        max_pct: Percent,
      }),
    )
    .max(CONSTRUCTION_LIMITS.groups)
    .default([]),
  turnover_pct: Percent.optional().describe(
    'Largest part of the account that a rebalance may exchange; left out: no limit',
  ),
  views: z
    .array(
      z.object({
        ticker: Ticker,
        against: Ticker.optional().describe('Left out: an absolute view'),
        expected_pct: z.number().min(-1000).max(1000).describe('A year'),
        confidence_pct: z.number().min(1).max(99).default(50),
        since: IsoDate.optional().describe('First day it was held; left out: it counts for the weights of today alone'),
      }),
    )
    .max(CONSTRUCTION_LIMITS.views)
    .default([])
    .describe('Of Black-Litterman'),
})

export const ConstructionItem = z.object({
  id: z.int(),
  status: z.enum(['running', 'completed', 'failed', 'cancelled']),
  name: z.string(),
  tickers: z.array(z.string()),
  methods: z.array(z.enum(constructionMethodIds)),
  start_date: IsoDate,
  end_date: IsoDate,
  progress: z.object({ fraction: z.number(), note: Sentence }).nullable(),
  error_message: Sentence.nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
})
export type ConstructionItem = z.infer<typeof ConstructionItem>

/** A year, as fractions, by the estimates that weights are chosen with. */
const Expected = z.object({ mean: z.number(), volatility: z.number() })

const Portfolio = z.object({
  id: z.enum([...constructionMethodIds, 'own']).describe('A method, or own: the weights of the form'),
  label: z.string(),
  metrics: CurveMetrics,
  figure_notes: z.record(z.string(), Sentence),
  /** How much of the account is exchanged in a year. */
  turnover: Figure,
  fees: z.number(),
  growth: longList(z.number()),
  weights: z.array(z.array(z.number())).describe('By rebalance, by ticker, as fractions'),
  current: z.array(z.number()).describe('By the prices up to the last day'),
  expected: Expected.describe('Of the current weights, in sample'),
  over_turnover: z.int().describe('Rebalances at which bounds could only be met by exchanging more than the limit'),
  chance: z
    .object({
      difference: z.number(),
      p_value: z.number(),
      more_than_chance: z.boolean(),
      sentence: Sentence,
    })
    .nullable()
    .describe('Beside equal weights'),
})
export type ConstructedPortfolio = z.infer<typeof Portfolio>

const ConstructionResults = z.object({
  tickers: z.array(z.string()).describe('The order of all weights'),
  start_value: z.number(),
  first_price: IsoDate,
  test_start: IsoDate,
  test_end: IsoDate,
  window_bars: z.int(),
  bars: z.int(),
  dates: longList(IsoDate),
  rebalance_dates: z.array(IsoDate),
  portfolios: z.array(Portfolio),
  frontier: z
    .object({
      date: IsoDate,
      points: z.array(Expected.extend({ weights: z.array(z.number()) })),
      tickers: z.array(Expected),
      shrinkage: z.number(),
    })
    .describe('In sample: by the means and risks of the last window'),
  risk_free: z.string(),
  synthetic: z.boolean(),
  spliced_tickers: SplicedTickers,
  fingerprint: z.string(),
  seed: z.int(),
  notes: z.array(Sentence),
})

export const Construction = ConstructionItem.extend({
  covariance: z.enum(covarianceEstimatorIds),
  window_months: z.number(),
  rebalance: z.enum(constructionRebalances),
  /** The settings of the Studio that it was started from. */
  config: SavedConfig,
  results: ConstructionResults.nullable(),
})
export type Construction = z.infer<typeof Construction>

export const startConstruction = route({
  method: 'POST',
  path: '/api/portfolio-constructions',
  access: 'signed in',
  scope: 'research',
  idempotent: true,
  addsRows: true,
  tag,
  summary:
    'Find weights by several methods, again at each rebalance from what was known then, and trade them with costs beside equal ' +
    'weights and your own. It continues when the client disconnects; read it again until it has ended.',
  body: ConstructionRequest,
  answer: Success.extend({ construction: ConstructionItem }),
})

export const listConstructions = route({
  method: 'GET',
  path: '/api/portfolio-constructions',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: "The signed-in user's constructions, newest first.",
  answer: z.object({ constructions: z.array(ConstructionItem), left_out: LeftOutCount }),
})

export const getConstruction = route({
  method: 'GET',
  path: '/api/portfolio-constructions/:id',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'A construction with its portfolios, weights and frontier, once it is complete.',
  params,
  answer: Construction,
})

export const cancelConstruction = route({
  method: 'POST',
  path: '/api/portfolio-constructions/:id/cancel',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Stop a construction. One that has ended stays as it is.',
  params,
  answer: Success.extend({ construction: ConstructionItem }),
})

export const deleteConstruction = route({
  method: 'DELETE',
  path: '/api/portfolio-constructions/:id',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Delete a construction; one in progress is stopped.',
  params,
  answer: Success,
})
