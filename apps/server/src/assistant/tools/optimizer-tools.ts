import { formatDate } from '@tradewright/core/time'
import { z } from 'zod'
import { findRun, type OwnRunsDeps } from '../../optimizer/own-runs.ts'
import {
  errorOf,
  type OptimizationRun,
  type RunItem,
  statusOf,
  luckOf,
  wasComparedWithHolding,
} from '../../optimizer/run.ts'
import { defineTool } from '../action.ts'
import { fallbackPrices, rounded } from './backtest-tools.ts'
import { type CorrelationDeps, findCorrelations } from '../../leading-indicators/correlations.ts'

const MAX_LISTED = 20

const known = (value: number | null): number | null => (value === null ? null : rounded(value))

export const optimizerTools = (deps: Pick<OwnRunsDeps, 'runs'>) => ({
  listRuns: defineTool({
    name: 'list_optimization_runs',
    description: "The user's optimizer runs, newest first, with status and best fitness.",
    note: 'Looking at your optimizer runs',
    input: z.object({}),
    async run({ userId }) {
      const runs = await deps.runs.list(userId)
      return { total: runs.length, runs: runs.slice(0, MAX_LISTED).map(itemFacts) }
    },
  }),

  getRun: defineTool({
    name: 'get_optimization_run',
    description:
      'One optimizer run: its best features, scores, hold-out, what always holding would have earned, and how much of it may be luck.',
    note: 'Reading an optimizer run',
    input: z.object({ run_id: z.int() }),
    async run({ userId }, { run_id }) {
      const run = await findRun(deps, userId, run_id)
      return { ...itemFacts(run), ...outcomeFacts(run) }
    },
  }),
})

export type OptimizerTools = ReturnType<typeof optimizerTools>

const itemFacts = (run: RunItem) => ({
  run_id: run.id,
  status: statusOf(run),
  error: errorOf(run),
  target_assets: run.settings.request.targets.map(({ asset }) => asset),
  metric: run.settings.request.fitness.metric,
  start_date: formatDate(run.settings.request.from),
  end_date: formatDate(run.settings.request.to),
  created: run.createdAt.toISOString().slice(0, 10),
  generations_done: run.tally?.generations ?? 0,
  generations_planned: run.settings.request.breeding.generations,
  best_fitness: known(run.tally?.bestFitness ?? null),
  synthetic: run.outcome?.synthetic ?? null,
  fallback_prices: fallbackPrices(run.outcome?.spliced, run.outcome?.report.details.train.from),
})

function outcomeFacts({ outcome, candidates }: OptimizationRun) {
  if (!outcome) return { result: null }
  const { report, notes } = outcome
  const { overall, holdOut, holding } = report.details
  const luck = luckOf(report).summary
  return {
    result: {
      best_features: report.winner.genes.map((gene) => candidates[gene]?.label ?? String(gene)),
      accuracy: known(overall.accuracy),
      sharpe: known(overall.sharpe),
      cagr: known(overall.cagr),
      hold_out: holdOut
        ? { accuracy: known(holdOut.accuracy), sharpe: known(holdOut.sharpe), cagr: known(holdOut.cagr) }
        : null,
      // The winner's buy allocation, always held: same bars, costs and fills.
      buy_and_hold: wasComparedWithHolding(report)
        ? {
            test_windows: { sharpe: known(holding.sharpe), cagr: known(holding.cagr) },
            hold_out: holdOut ? { sharpe: known(holdOut.holding.sharpe), cagr: known(holdOut.holding.cagr) } : null,
          }
        : null,
      trials: report.trials,
      luck: { verdict: luck.verdict, words: luck.words, sentence: luck.sentence },
      notes,
    },
  }
}

export const leadingIndicatorTools = (deps: CorrelationDeps) => ({
  getLeadingIndicators: defineTool({
    name: 'get_leading_indicators',
    description:
      "Which other series' metrics preceded a ticker's returns: lagged correlations with p-values, also adjusted for how many pairs were tried.",
    note: 'Looking for leading indicators',
    input: z.object({
      ticker: z.string().trim().min(1).max(60),
      period_days: z.int().min(30).max(3650).default(365),
      min_correlation: z.number().min(0).max(1).default(0.1),
    }),
    async run({ userId, signal }, { ticker, period_days, min_correlation }) {
      const query = {
        ticker,
        minCorrelation: min_correlation,
        periodDays: period_days,
        limit: MAX_LISTED,
        lagDays: undefined,
      }
      const found = await findCorrelations(deps, userId, query, signal)
      return {
        ticker: found.ticker,
        start_date: formatDate(found.period.from),
        end_date: formatDate(found.period.to),
        pairs_tested: found.tested,
        indicators: found.indicators.map((one) => ({
          ticker: one.ticker,
          metric: one.metric,
          lag_days: one.lag,
          correlation: rounded(one.correlation),
          p_value: rounded(one.pValue),
          adjusted_p_value: rounded(one.adjustedPValue),
          feature: one.feature.name,
        })),
        synthetic: found.synthetic,
        notes: found.notes,
      }
    },
  }),
})

export type LeadingIndicatorTools = ReturnType<typeof leadingIndicatorTools>
