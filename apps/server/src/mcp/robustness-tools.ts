import { Problem } from '@tradewright/core/problem'
import type { CheckOutcome } from '@tradewright/engine/robustness/check'
import { z } from 'zod'
import { paragraphs, plain, table } from '../assistant/words.ts'
import { boardOfRun, startBoard } from '../backtests/robustness/board-of-run.ts'
import type { StoredBoard } from '../backtests/robustness/stored-board.ts'
import type { Job } from '../jobs/job.ts'
import { boardLink } from './resources.ts'
import { defineMcpTool } from './tool.ts'

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
