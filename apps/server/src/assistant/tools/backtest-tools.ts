import { formatDate } from '@tradewright/core/time'
import { z } from 'zod'
import { compareBacktests } from '../../backtests/compare-backtests.ts'
import { startBacktest, type BacktestRunDeps } from '../../backtests/start-backtest.ts'
import type { BacktestRun } from '../../backtests/backtest-run.ts'
import { findBacktest } from '../../backtests/saved-backtests.ts'
import { type Caller, defineTool } from '../tool.ts'
import { backtestFacts, curveFacts, fallbackPrices } from './backtest-facts.ts'
import { IsoDate } from './iso-date.ts'

const MAX_LISTED = 50

/** A backtest form's fields, as the Studio sends them. */
export type FormFields = Readonly<Record<string, string | readonly string[] | undefined>>

export interface BacktestToolDeps extends BacktestRunDeps {
  /** Reads the fields of a form; a Problem says which one is wrong. */
  readonly runOf: (fields: FormFields) => BacktestRun
}

const percentError = 'must be a percentage'
export const Allocation = z
  .array(z.object({ ticker: z.string().trim().min(1).max(60), percent: z.number(percentError) }))
  .min(1)
  .max(30)
export type Allocation = z.infer<typeof Allocation>

export const AllocationRun = z.object({
  allocation: Allocation,
  start_date: IsoDate,
  end_date: IsoDate,
  rebalance: z.enum(['none', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly']).default('yearly'),
})
export type AllocationRun = z.infer<typeof AllocationRun>

export const allocationFields = (run: AllocationRun): FormFields => ({
  strategyType: 'Asset Allocation',
  startDate: run.start_date,
  endDate: run.end_date,
  rebalanceFrequency: run.rebalance,
  'ticker[]': run.allocation.map(({ ticker }) => ticker),
  'allocation[]': run.allocation.map(({ percent }) => String(percent)),
})

/** Runs what the form says; when the caller is gone, a run that is not saved ends. */
export const runForm = (deps: BacktestToolDeps, { userId, signal }: Caller, fields: FormFields) =>
  startBacktest(deps, { userId, run: deps.runOf(fields), runId: undefined, left: signal })

export const backtestTools = (deps: BacktestToolDeps) => ({
  listBacktests: defineTool({
    name: 'list_backtests',
    description: "The user's saved backtests, newest first.",
    note: 'Looking at your backtests',
    input: z.object({}),
    async run({ userId }) {
      const items = await deps.backtests.list(userId)
      const backtests = items.slice(0, MAX_LISTED).map(({ id, name, strategyId, strategyName, createdAt }) => ({
        backtest_id: id,
        name,
        strategy_id: strategyId,
        strategy: strategyName,
        created: createdAt.toISOString().slice(0, 10),
      }))
      return { total: items.length, backtests }
    },
  }),

  getBacktest: defineTool({
    name: 'get_backtest',
    description: 'The figures, checks and curve of one saved backtest, over its own period.',
    note: 'Reading a backtest',
    input: z.object({ backtest_id: z.int() }),
    async run({ userId }, { backtest_id }) {
      const { id, name, report } = await findBacktest(deps, userId, backtest_id)
      return { backtest_id: id, name, ...backtestFacts(report) }
    },
  }),

  compareBacktests: defineTool({
    name: 'get_backtest_comparison',
    description:
      'Two to five saved backtests side by side, every figure recomputed over the period that they have in common. ' +
      'Compare with this alone: figures of different periods do not compare.',
    note: 'Comparing backtests',
    input: z.object({ backtest_ids: z.array(z.int()).min(2).max(5) }),
    async run({ userId }, { backtest_ids }) {
      const references = backtest_ids.map((id) => ({ id }))
      const { period, compared } = await compareBacktests(deps, userId, references)
      return {
        from: formatDate(period.from),
        to: formatDate(period.to),
        backtests: compared.map(comparedFacts),
      }
    },
  }),

  runBacktest: defineTool({
    name: 'run_backtest',
    description:
      'Compute a backtest of fixed percentages of tickers (the rest is cash). Nothing is saved: to keep one, offer the action run_backtest.',
    note: 'Running a backtest',
    input: AllocationRun,
    async run(caller, input) {
      const { report } = await runForm(deps, caller, allocationFields(input))
      return backtestFacts(report)
    },
  }),
})

export type BacktestTools = ReturnType<typeof backtestTools>

type Compared = Awaited<ReturnType<typeof compareBacktests>>['compared'][number]

const comparedFacts = ({ name, result, ownPeriod, curve, metrics }: Compared) => ({
  name,
  own_from: formatDate(ownPeriod.from),
  own_to: formatDate(ownPeriod.to),
  ...curveFacts(metrics),
  synthetic: result.synthetic,
  fallback_prices: fallbackPrices(result.spliced, curve.days[0]),
})
