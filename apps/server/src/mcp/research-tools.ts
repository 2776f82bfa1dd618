import { receivesSignals } from '@tradewright/core/strategy-kinds'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Problem } from '@tradewright/core/problem'
import type { CheckOutcome } from '@tradewright/engine/robustness/check'
import { backtestFacts } from '../assistant/tools/backtest-tools.ts'
import { backtestJob } from '../backtests/backtest-job.ts'
import { findBacktest } from '../backtests/saved-backtests.ts'
import { startBacktest, type BacktestRunDeps } from '../backtests/start-backtest.ts'
import type { JobFeed } from '../events/job-feed.ts'
import { type OptimizationSettings, statusOf } from '../optimizer/run.ts'
import { cancelRun, type OwnRunsDeps, startRun } from '../optimizer/own-runs.ts'
import { BacktestedStrategy, type ProposedStrategy } from '../proposals/proposed-strategy.ts'
import {
  backtestReport,
  backtestSummary,
  backtestLink,
  curveLink,
  runLink,
  boardLink,
  defineMcpTool,
} from './resources.ts'
import type { BacktestRun } from '../backtests/backtest-run.ts'
import { findStrategy, type StrategyDeps } from '../strategies/own-strategies.ts'
import { paragraphs, plain, table } from '../assistant/words.ts'
import { boardOfRun, startBoard } from '../backtests/robustness/board-of-run.ts'
import type { StoredBoard } from '../backtests/robustness/stored-board.ts'
import type { Job } from '../jobs/job.ts'

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

export interface AskedRunDeps extends StrategyDeps {
  /** Reads a strategy as an agent writes it down; a Problem says what is wrong. */
  readonly runOf: (strategy: ProposedStrategy) => BacktestRun
}

/** The run that an agent asks for: of a strategy that it writes down, or of a saved one. */
export async function askedRun(
  deps: AskedRunDeps,
  userId: number,
  { strategy_id: id, ...asked }: BacktestedStrategy,
): Promise<BacktestRun> {
  if (id === undefined) return deps.runOf(asked)
  if (asked.allocation || asked.rules || asked.settings) {
    const sentence = 'Give strategy_id alone, or exactly one of allocation, rules and settings.'
    throw new Problem('invalid', 'strategy.ways', sentence)
  }
  const { name, config } = await findStrategy(deps, userId, id)
  const run = deps.runOf({ ...asked, settings: config })
  return { ...run, strategyName: name, ...(receivesSignals(run.request.strategy) && { signalsOf: id }) }
}

type RobustnessDeps = Parameters<typeof boardOfRun>[0]

const BacktestId = z.object({ backtest_id: z.int().describe('Of a saved backtest or a recent run.') })
const MAX_SEED = 0xffff_ffff

export const robustnessTools = (deps: RobustnessDeps) => [
  defineMcpTool({
    name: 'start_robustness_checks',
    title: 'Start the robustness checks of a backtest',
    description:
      'Compute the robustness report of a backtest: whether it is luck, and how it holds up with other costs, dates and ' +
      'delays and in crises. It takes seconds to minutes and runs in the background; get_robustness_report returns it once it ' +
      'is done. Started twice, it is computed once.',
    scopes: ['research'],
    effect: 'computes',
    input: BacktestId.extend({ seed: z.int().min(0).max(MAX_SEED).optional().describe('Default: that of the run.') }),
    async run({ userId }, { backtest_id: id, seed }) {
      const job = await startBoard(deps, userId, id, seed)
      return {
        summary: `The robustness checks of backtest ${id} have started.`,
        data: { backtest_id: id, ...jobFacts(job) },
        links: [boardLink(id)],
      }
    },
  }),
  defineMcpTool({
    name: 'get_robustness_report',
    title: 'Robustness report of a backtest',
    description:
      'The robustness report of a backtest as text, with the verdict of each check, or the status of its job.',
    scopes: ['read', 'research'],
    effect: 'reads',
    input: BacktestId,
    async run({ userId }, { backtest_id: id }) {
      const { board, job } = await boardOfRun(deps, userId, id)
      const status = job?.state ?? (board ? 'completed' : 'not computed')
      return {
        summary: paragraphs(job && jobWords(job), board ? boardReport(board) : !job && NOT_COMPUTED),
        data: { backtest_id: id, status, ...(job && jobFacts(job)), ...(board && boardFacts(board)) },
        links: board ? [boardLink(id)] : [],
      }
    },
  }),
  defineMcpTool({
    name: 'cancel_robustness_checks',
    title: 'Cancel the robustness checks of a backtest',
    description: 'End the robustness checks of a backtest that are in progress. An earlier report is kept.',
    scopes: ['research'],
    effect: 'computes',
    input: BacktestId,
    async run({ userId }, { backtest_id: id }) {
      const { job } = await boardOfRun(deps, userId, id)
      if (!job || job.state === 'failed') {
        const sentence = 'No robustness checks of this backtest are in progress.'
        throw new Problem('conflict', 'robustness.idle', sentence)
      }
      await deps.jobs.requestCancel(userId, job.id)
      return { summary: `The robustness checks of backtest ${id} are being ended.` }
    },
  }),
]

const NOT_COMPUTED = 'The robustness checks of this backtest have not been run: start_robustness_checks runs them.'

const jobFacts = ({ state, progress, error }: Job) => ({
  status: state,
  progress: progress && { fraction: progress.fraction, note: progress.note },
  error: error?.message ?? null,
})

function jobWords({ state, progress, error }: Job): string {
  if (state === 'failed') return `The checks failed. ${error?.message ?? ''}`.trim()
  const fraction = progress?.fraction ?? null
  const percent = fraction === null ? '' : ` (${Math.floor(fraction * 100)}%)`
  return `The checks are under way${percent}. ${progress?.note ?? 'Waiting for its turn'}.`
}

const boardFacts = ({ board, fingerprint, changedSeries, computedAt }: StoredBoard) => ({
  verdict: board.verdict,
  seed: board.seed,
  fingerprint,
  changed_series: changedSeries,
  computed_at: computedAt,
  checks: board.outcomes.map(({ key, judgement, notAvailable }) => ({
    key,
    verdict: judgement?.verdict ?? null,
    value: judgement?.value ?? null,
    not_available: notAvailable,
  })),
})

function boardReport({ board: { verdict, outcomes }, changedSeries, computedAt }: StoredBoard): string {
  return paragraphs(
    `**${verdict.words}.** ${verdict.sentence}`,
    `${verdict.passed} checks passed, ${verdict.cautions} with caution, ${verdict.failed} failed; computed ${computedAt}.`,
    changedSeries !== null &&
      changedSeries.length > 0 &&
      `Prices of ${plain(changedSeries.join(', '))} have changed since the backtest: run it again.`,
    table(
      ['Check', 'Verdict', 'Finding'],
      outcomes.map((outcome) => [plain(outcome.label), verdictOf(outcome), findingOf(outcome)]),
    ),
  )
}

const verdictOf = ({ judgement, notAvailable }: CheckOutcome): string =>
  judgement ? plain(judgement.words) : notAvailable === null ? 'For information' : 'n/a'

const findingOf = ({ judgement, notAvailable, summary }: CheckOutcome): string =>
  notAvailable === null
    ? plain([judgement?.sentence, summary].filter(Boolean).join(' '))
    : `n/a because ${plain(notAvailable)}.`
