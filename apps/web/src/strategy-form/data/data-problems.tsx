import type { DataProblem } from '@tradewright/contract/backtest-figures'
import { Banner } from '../../ui/feedback/banner.tsx'
import { DataActions } from './data-actions.tsx'

interface DataProblemsProps {
  problems: readonly DataProblem[]
  isRunning: boolean
  onRetry: () => void
}

/** Why prices are synthetic or incomplete, and what can be done about it. */
export function DataProblems({ problems, isRunning, onRetry }: DataProblemsProps) {
  const [first, ...others] = problems
  if (!first) return null
  const mayRetry = problems.some(({ may_retry }) => may_retry)
  return (
    <Banner
      kind="warning"
      text={first.sentence}
      detail={others.map(({ sentence }) => sentence).join(' ') || null}
      action={
        <DataActions offers={mayRetry ? ['retry', 'import'] : ['import']} isRunning={isRunning} onRetry={onRetry} />
      }
    />
  )
}
