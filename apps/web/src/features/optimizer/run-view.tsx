import { Button } from '@mantine/core'
import { IconDna2 } from '@tabler/icons-react'
import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import { DataActions, dataActionsFor } from '../../strategy-form/data/data-actions.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { HelpLink } from '../../help/help-link.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { failedRunText, failedTo, type Message } from './messages.ts'
import { useRerun } from './queries.ts'
import { ResultsPanel } from './results/results-panel.tsx'
import { RunProgressCard } from './run-progress-card.tsx'
import { isInProgress } from './run-status.ts'

interface RunViewProps {
  run: OptimizationRun | undefined
  isLoading: boolean
  /** A run was asked for that the server has not told of yet. */
  isStarting: boolean
  onShow: (runId: string) => void
  /** Fills in what a first run needs; undefined until that is known. */
  onExample: (() => void) | undefined
  tell: (message: Message) => void
}

/** The chosen run: its progress, its results, why it failed, or that there is none. */
export function RunView({ run, isLoading, isStarting, onShow, onExample, tell }: RunViewProps) {
  const rerun = useRerun()
  if (!run) {
    if (isLoading || isStarting) return <CardSkeleton rows={6} label="Loading the run..." />
    return <NoResults onExample={onExample} />
  }
  if (isInProgress(run)) return <RunProgressCard run={run} tell={tell} />
  const onRerun = () =>
    rerun.mutate(String(run.id), {
      onSuccess: ({ run: next }) => onShow(String(next.id)),
      onError: (error) => tell(failedTo('rerun', error)),
    })
  const offers = run.error_code === null ? undefined : dataActionsFor(run.error_code)
  return (
    <>
      {run.status === 'failed' && (
        <Banner
          kind="error"
          text={failedRunText(run.error_message)}
          action={offers && <DataActions offers={offers} isRunning={rerun.isPending} onRetry={onRerun} />}
        />
      )}
      {run.status === 'abandoned' && (
        <Banner
          kind="warning"
          text="This run was abandoned."
          detail={run.results ? 'It ended early; these are the results up to then.' : run.error_message}
        />
      )}
      {run.results ? (
        <ResultsPanel run={run} results={run.results} onRerun={onRerun} isRerunning={rerun.isPending} />
      ) : (
        <NoResults onExample={onExample} />
      )}
    </>
  )
}

function NoResults({ onExample }: Pick<RunViewProps, 'onExample'>) {
  return (
    <Card>
      <EmptyState
        icon={IconDna2}
        title="No optimization results"
        text="Choose targets and feature types, then run the optimization. Its progress and results appear here."
        action={
          <>
            <Button variant="default" disabled={!onExample} onClick={onExample}>
              Fill in an example
            </Button>
            <HelpLink page="luck-checks">How to read the result</HelpLink>
          </>
        }
      />
    </Card>
  )
}
