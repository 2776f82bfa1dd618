import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { backtestFacts } from '../assistant/tools/backtest-facts.ts'
import { backtestJob } from '../backtests/backtest-job.ts'
import { findBacktest } from '../backtests/saved-backtests.ts'
import { startBacktest, type BacktestRunDeps } from '../backtests/start-backtest.ts'
import type { JobFeed } from '../events/job-feed.ts'
import type { OptimizationSettings } from '../optimizer/settings.ts'
import { cancelRun, type OwnRunsDeps } from '../optimizer/own-runs.ts'
import { statusOf } from '../optimizer/run.ts'
import { startRun } from '../optimizer/start-run.ts'
import { BacktestedStrategy } from '../proposals/proposed-strategy.ts'
import { askedRun, type AskedRunDeps } from './asked-run.ts'
import { backtestReport, backtestSummary } from './backtest-report.ts'
import { backtestLink, curveLink, runLink } from './resources.ts'
import { defineMcpTool } from './tool.ts'

interface BacktestDeps extends BacktestRunDeps, AskedRunDeps {
  readonly feed: Pick<JobFeed, 'subscribe'>
}

export const backtestTools = (deps: BacktestDeps) => [
  defineMcpTool({
    name: 'run_backtest',
    title: 'Run a backtest',
    description:
      'Run a backtest of fixed percentages (allocation), rules, settings (also of ML strategies) or a saved strategy ' +
      '(strategy_id), and wait for it. The result is kept among the recent runs, and no strategy is saved. When the ' +
      'connection is lost, the run continues: list_recent_runs has it.',
    scopes: ['research'],
    effect: 'computes',
    input: BacktestedStrategy,
    async run(caller, input) {
      const run = await askedRun(deps, caller.userId, input)
      const runId = randomUUID()
      const unsubscribe = deps.feed.subscribe(caller.userId, {
        onJob: ({ kind, subject, progress }) => {
          if (kind === backtestJob.kind && subject === runId && progress) {
            caller.onProgress(progress.fraction, progress.note)
          }
        },
        onGap: () => {},
      })
      try {
        const asked = { userId: caller.userId, run, runId, left: caller.signal }
        const { resultId, resultName, report } = await startBacktest(deps, asked)
        const { curve: _, ...facts } = backtestFacts(report)
        return {
          summary: backtestSummary(resultName, { ...facts, curve: [] }),
          data: { backtest_id: resultId, ...facts },
          links: [backtestLink(resultId, resultName), curveLink(resultId)],
        }
      } finally {
        unsubscribe()
      }
    },
  }),
  defineMcpTool({
    name: 'get_backtest_report',
    title: 'Report of a backtest',
    description: 'A saved backtest or a recent run as text and tables, with its checks and yearly returns.',
    scopes: ['read', 'research'],
    effect: 'reads',
    input: z.object({ backtest_id: z.int() }),
    async run({ userId }, { backtest_id: id }) {
      const { name, report } = await findBacktest(deps, userId, id)
      return { summary: backtestReport(name, backtestFacts(report)), links: [backtestLink(id, name), curveLink(id)] }
    },
  }),
]

interface OptimizerDeps extends OwnRunsDeps {
  /** Reads the Optimizer's form; a Problem says which field is wrong. */
  readonly settingsOf: (fields: Readonly<Record<string, unknown>>) => OptimizationSettings
}

/** Percent change, RSI, MACD, volatility and momentum, as the assistant starts with. */
const USUAL_FEATURES = [1, 7, 8, 11, 13]
const NEXT_BAR_DIRECTION = 1
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like 2024-12-31')

export const optimizerTools = (deps: OptimizerDeps) => [
  defineMcpTool({
    name: 'start_optimizer_run',
    title: 'Start an optimizer run',
    description:
      'Start a search for features that predict one ticker. It runs in the background: get_optimization_run has its ' +
      'status and what it found, cancel_optimizer_run ends it. feature_ids are ids of list_features.',
    scopes: ['research'],
    effect: 'computes',
    input: z.object({
      target: z.string().trim().min(1).max(60),
      start_date: date,
      end_date: date,
      feature_ids: z.array(z.int()).min(1).max(20).default(USUAL_FEATURES),
      window_sizes: z.array(z.int().min(2).max(250)).min(1).max(10).default([5, 10, 14, 20, 30]),
      population: z.int().min(2).max(100).default(20),
      generations: z.int().min(1).max(50).default(8),
    }),
    async run({ userId }, input) {
      const settings = deps.settingsOf({
        target_asset: input.target,
        target_id: NEXT_BAR_DIRECTION,
        feature_types: input.feature_ids,
        window_sizes: input.window_sizes,
        start_date: input.start_date,
        end_date: input.end_date,
        population_size: input.population,
        generations: input.generations,
        walk_forward_enabled: true,
      })
      const id = await startRun(deps, userId, settings)
      return { summary: `Optimizer run ${id} has started.`, data: { run_id: id }, links: [runLink(id)] }
    },
  }),
  defineMcpTool({
    name: 'cancel_optimizer_run',
    title: 'Cancel an optimizer run',
    description: 'End an optimizer run that is in progress. What it found so far is kept.',
    scopes: ['research'],
    effect: 'computes',
    input: z.object({ run_id: z.int() }),
    async run({ userId }, { run_id: id }) {
      const run = await cancelRun(deps, userId, id)
      return { data: { run_id: id, status: statusOf(run) }, links: [runLink(id)] }
    },
  }),
]
