import { BACKTEST_JOB } from '@tradewright/contract/backtests'
import { COLLECTION_JOB } from '@tradewright/contract/data-collector'
import type { UnfinishedJob } from '@tradewright/contract/jobs'
import { OPTIMIZER_JOB } from '@tradewright/contract/optimizer'
import { ROBUSTNESS_JOB } from '@tradewright/contract/robustness'
import { CONSTRUCTION_JOB } from '@tradewright/contract/construction'
import { STUDY_JOB } from '@tradewright/contract/studies'

interface JobWords {
  name: string
  /** The screen that shows it. */
  path: string
}

type Named = Pick<UnfinishedJob, 'kind' | 'subject' | 'strategy_name'>

export function jobWords({ kind, subject, strategy_name }: Named): JobWords {
  if (kind === BACKTEST_JOB)
    return { name: strategy_name ? `Backtest, ${strategy_name}` : 'Backtest', path: '/backtest' }
  if (kind === OPTIMIZER_JOB) return { name: `Optimizer run ${subject}`, path: `/optimizer?run=${subject}` }
  if (kind === ROBUSTNESS_JOB) {
    return { name: `Robustness of result ${subject}`, path: `/backtest?backtest_id=${subject}&section=robustness` }
  }
  if (kind === CONSTRUCTION_JOB) {
    return { name: `Portfolio construction ${subject}`, path: `/backtest?construct=${subject}` }
  }
  if (kind === STUDY_JOB) return { name: `Parameter study ${subject}`, path: `/backtest?study=${subject}` }
  if (kind === COLLECTION_JOB) return { name: `Collection, ${subject}`, path: '/data-collector?tab=runs' }
  return { name: subject, path: '/' }
}
