import { BacktestForm } from '@tradewright/contract/backtest-form'
import { CollectionJobBody } from '@tradewright/contract/data-collector'
import { CreateDeploymentBody, UpdateDeploymentBody } from '@tradewright/contract/live-trading-form'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { callFields, kindOf, readSavedStrategy } from '@tradewright/core/settings-codec'
import { strategyTypeOf } from '@tradewright/core/strategy-kinds'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import type { BacktestRun } from '../backtests/backtest-run.ts'
import type { Foundation } from '../foundation.ts'
import { toDomain } from '../http/backtests/form.ts'
import { toJobForm } from '../http/data-collector/collection-job-wire.ts'
import { toDeployForm, toEditForm } from '../http/live-trading/form.ts'
import { deploymentToWire } from '../http/live-trading/wire.ts'
import { viewDeployment } from '../live-trading/views.ts'
import type { Logger } from '../log.ts'
import {
  changeDeploymentProposal,
  createDeploymentProposal,
  stopDeploymentProposal,
} from '../proposals/kinds/deployments.ts'
import { makeTickerListProposal } from '../proposals/kinds/make-ticker-list.ts'
import { saveStrategyProposal } from '../proposals/kinds/save-strategy.ts'
import { scheduleCollectionProposal } from '../proposals/kinds/schedule-collection.ts'
import type { ProposalDeps } from '../proposals/own-proposals.ts'
import type { ProposedStrategy } from '../proposals/proposed-strategy.ts'
import { createProposalStore } from '../stores/proposals/proposals.ts'
import { createStrategyStore } from '../stores/strategies/strategies.ts'
import { createTickerListStore } from '../stores/ticker-lists/ticker-lists.ts'
import type { Runtime } from './runtime.ts'

interface Parts {
  readonly foundation: Pick<Foundation, 'database'>
  readonly runtime: Runtime
  readonly clock: Clock
  readonly log: Logger
}

/** What can be proposed, each kind joined to the use case that its screen calls. One more kind is one more entry. */
export function openProposals({ foundation: { database }, runtime, clock, log }: Parts): ProposalDeps {
  const { liveTrading, marketData } = runtime
  const runOf = strategyReader(clock)
  return {
    proposals: createProposalStore(database),
    clock,
    onBug: (error, kind) => log.error({ err: error, kind }, 'a proposal failed'),
    kinds: [
      saveStrategyProposal({ strategies: createStrategyStore(database), clock, runOf }),
      createDeploymentProposal({
        ...liveTrading.deps,
        deployFormOf: (fields) => toDeployForm(CreateDeploymentBody.parse(fields)),
      }),
      changeDeploymentProposal({
        ...liveTrading.deps,
        editFormOf: async (userId, id, { name, ...changes }) => {
          const now = deploymentToWire(await viewDeployment(liveTrading.deps, userId, id))
          const fields = { ...now, ...changes, ...(name !== undefined && { deployment_name: name }) }
          return toEditForm(UpdateDeploymentBody.parse(fields), { name: now.deployment_name })
        },
      }),
      stopDeploymentProposal(liveTrading.deps),
      makeTickerListProposal({ lists: createTickerListStore(database), clock }),
      scheduleCollectionProposal({
        ...marketData.collectionJobs,
        jobFormOf: (fields) => toJobForm(CollectionJobBody.parse(fields)),
      }),
    ],
  }
}

const TEST_DAYS = 5 * 365

/** Reads a strategy as an agent writes it down by the Studio's own form. */
export const strategyReader =
  (clock: Clock) =>
  (asked: ProposedStrategy): BacktestRun => {
    const { allocation, rules, settings, start_date: from, end_date: to, rebalance } = asked
    if ([allocation, rules, settings].filter((way) => way !== undefined).length !== 1) {
      const sentence = 'Give exactly one of allocation, rules, settings and, where it is possible, strategy_id.'
      throw new Problem('invalid', 'strategy.ways', sentence)
    }
    const today = epochDayOf(clock.now().getTime())
    const saved = {
      startDate: formatDate(today - TEST_DAYS),
      endDate: formatDate(today),
      ...readSavedStrategy({
        ...settings,
        ...(allocation && { allocations: allocation.map(({ ticker, percent }) => ({ ticker, allocation: percent })) }),
        ...(rules && { rules }),
      }),
      ...(from !== undefined && { startDate: from }),
      ...(to !== undefined && { endDate: to }),
      ...(rebalance !== undefined && { rebalanceFrequency: rebalance }),
    }
    const strategyType = strategyTypeOf(kindOf(saved))
    return toDomain(BacktestForm.parse({ ...callFields(saved), strategyType })).run
  }
