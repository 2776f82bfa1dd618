import { useEffect, useRef, useState } from 'react'
import type { Feature, Target } from '@tradewright/contract/features'
import { Button } from '@mantine/core'
import { IconDna2, IconColumns, IconPlus, IconTrash, IconTrashX } from '@tabler/icons-react'
import type { OptimizationRun, OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { TopMessage, TwoColumns } from '../../ui/layout/two-columns.tsx'
import { useFeatures, useTargets } from '../../strategy-form/queries.ts'
import { CompareModal } from './compare-modal.tsx'
import { LeadingIndicators } from './leading-indicators/leading-indicators.tsx'
import { EXAMPLE_FILLED_IN, type Message, failedRunText, failedTo } from './messages.ts'
import classes from './optimizer-screen.module.css'
import { OptimizerSetup } from './setup/optimizer-setup.tsx'
import { useOptimizer } from './use-optimizer.ts'
import { defaultParams } from '../../strategy-form/catalogue.ts'
import { starterFeatures, starterTarget } from '../../strategy-form/starter-set.ts'
import { featureTypeOf, type OptimizerForm, type Seed } from './form/form.ts'
import { ContentModal } from '../../ui/layout/content-modal.tsx'
import { seedSummary } from './seeds.ts'
import seedsQuestionClasses from './seeds-question.module.css'
import { DataActions, dataActionsFor } from '../../strategy-form/data/data-actions.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { HelpLink } from '../../help/help-link.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { useRerun, useDeleteAllRuns, useDeleteRun, isInProgress, runLabel } from './queries.ts'
import { ResultsPanel } from './results/results-panel.tsx'
import { RunProgressCard } from './run-progress-card.tsx'
import { useOfferUndo } from '../../deletions/use-offer-undo.ts'
import { ConfirmModal } from '../../ui/layout/confirm-modal.tsx'
import { SelectField } from '../../ui/form/fields.tsx'
import { IconButton } from '../../ui/form/buttons.tsx'
import runsBarClasses from './runs-bar.module.css'

export function OptimizerScreen() {
  const optimizer = useOptimizer()
  return (
    <Page documentTitle="Optimizer" width="work">
      <PageHeader title="Optimizer" subtitle="Search for good feature sets and explore leading indicators" />
      <Tabs
        label="Optimizer"
        variant="page"
        current={optimizer.tab}
        onChange={optimizer.setTab}
        tabs={[
          {
            name: 'optimization',
            label: 'Feature Optimization',
            content: <FeatureOptimization optimizer={optimizer} />,
          },
          {
            name: 'leading-indicators',
            label: 'Leading Indicators',
            content: (
              <LeadingIndicators
                isShown={optimizer.tab === 'leading-indicators'}
                form={optimizer.form}
                edit={optimizer.edit}
              />
            ),
          },
        ]}
      />
    </Page>
  )
}

function FeatureOptimization({ optimizer }: { optimizer: ReturnType<typeof useOptimizer> }) {
  const [isComparing, setComparing] = useState(false)
  const features = useFeatures().data
  const targets = useTargets().data
  const { form, edit, message, run, runs, isRunning } = optimizer
  return (
    <div className={classes.tab}>
      <TwoColumns
        pane={optimizer.pane}
        onPane={optimizer.setPane}
        isBusy={isRunning}
        top={
          <>
            <RunsBar
              runs={runs}
              runId={optimizer.runId}
              onChoose={optimizer.choose}
              onCompare={() => setComparing(true)}
              tell={optimizer.setMessage}
            />
            {message && (
              <ShownMessage
                key={`${message.kind} ${message.text}`}
                message={message}
                onClose={() => optimizer.setMessage(null)}
              />
            )}
          </>
        }
        setup={
          <OptimizerSetup
            form={form}
            edit={edit}
            runs={runs}
            isRunning={isRunning}
            hasResults={Boolean(run?.results)}
            onRun={optimizer.start}
            onStartOver={() => optimizer.choose('')}
            tell={optimizer.setMessage}
          />
        }
        results={
          <RunView
            run={run}
            isLoading={optimizer.isLoadingRun}
            isStarting={isRunning}
            onShow={optimizer.show}
            onExample={
              features && targets
                ? () => {
                    edit(exampleChange(features, targets))
                    optimizer.setPane('Setup')
                    optimizer.setMessage(EXAMPLE_FILLED_IN)
                  }
                : undefined
            }
            tell={optimizer.setMessage}
          />
        }
      />
      <CompareModal opened={isComparing} runs={runs} onClose={() => setComparing(false)} />
      <SeedsQuestion
        seeds={optimizer.offered}
        onAnswer={(isWanted) => {
          if (isWanted && optimizer.offered) edit({ seeds: [...form.seeds, ...optimizer.offered] })
          optimizer.setOffered(null)
        }}
      />
    </div>
  )
}

/** Comes into sight by itself: what it is about may have been far down the form. */
function ShownMessage({ message, onClose }: { message: Message; onClose: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place}>
      <TopMessage>
        <Banner {...message} onClose={onClose} />
      </TopMessage>
    </div>
  )
}

const TICKER = 'SPY'

/** Enough for a first run: whether SPY rises the next day, by a handful of features. The other settings stay. */
export function exampleChange(features: readonly Feature[], targets: readonly Target[]): Partial<OptimizerForm> {
  const target = starterTarget(targets)
  const params = target ? defaultParams(target.config.params_def) : {}
  return {
    targetTickers: TICKER,
    targetListId: '',
    target: target ? { id: target.id, params: 'ticker' in params ? { ...params, ticker: TICKER } : params } : null,
    featureTypes: starterFeatures(features).map((feature) => featureTypeOf(feature)),
  }
}

interface SeedsQuestionProps {
  /** Null: nothing is asked. */
  seeds: readonly Seed[] | null
  onAnswer: (isWanted: boolean) => void
}

/** Asked when a completed run was loaded. */
function SeedsQuestion({ seeds, onAnswer }: SeedsQuestionProps) {
  const catalogue = useFeatures().data ?? []
  const count = seeds?.length ?? 0
  return (
    <ContentModal
      opened={seeds !== null}
      title={`Use the best ${count === 1 ? 'feature' : `${count} features`} of this run as seeds?`}
      onClose={() => onAnswer(false)}
    >
      <p className={seedsQuestionClasses.text}>
        The next run starts from them and shows how much it improves on them. You can remove them under Seed features.
      </p>
      <ul className={seedsQuestionClasses.seeds}>
        {seeds?.map((seed) => (
          <li key={`${seed.id} ${JSON.stringify(seed.params)}`}>
            {seed.name} <span>{seedSummary(seed, catalogue)}</span>
          </li>
        ))}
      </ul>
      <div className={seedsQuestionClasses.buttons}>
        <Button variant="default" data-autofocus onClick={() => onAnswer(false)}>
          No, thanks
        </Button>
        <Button onClick={() => onAnswer(true)}>Use as seeds</Button>
      </div>
    </ContentModal>
  )
}

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
function RunView({ run, isLoading, isStarting, onShow, onExample, tell }: RunViewProps) {
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

interface RunsBarProps {
  runs: readonly OptimizationRunItem[]
  runId: string
  /** Empty: a new run. */
  onChoose: (runId: string) => void
  onCompare: () => void
  tell: (message: Message) => void
}

function RunsBar({ runs, runId, onChoose, onCompare, tell }: RunsBarProps) {
  const [asking, setAsking] = useState<'one' | 'all' | null>(null)
  const deleteRun = useDeleteRun()
  const deleteAll = useDeleteAllRuns()
  const chosen = runs.find(({ id }) => String(id) === runId)

  const offerUndo = useOfferUndo()
  const deleted = (what: string, gone: readonly OptimizationRunItem[]) => ({
    onSuccess: () => {
      onChoose('')
      const restorable = gone.filter((run) => !isInProgress(run))
      if (restorable.length > 0) {
        offerUndo(
          what,
          restorable.map(({ id }) => ({ kind: 'optimization-run', id })),
        )
      }
    },
    onSettled: () => setAsking(null),
  })
  const confirmOne = () =>
    deleteRun.mutate(runId, {
      ...deleted(`run #${runId}`, chosen ? [chosen] : []),
      onError: (error) => tell(failedTo('delete run', error)),
    })
  const confirmAll = () =>
    deleteAll.mutate(undefined, {
      ...deleted('all runs', runs),
      onError: (error) => tell(failedTo('delete all runs', error)),
    })

  return (
    <div className={runsBarClasses.bar}>
      <SelectField
        label="Previous runs"
        value={chosen ? runId : ''}
        options={[
          { value: '', label: runs.length === 0 ? 'No runs yet' : 'Choose a run...' },
          ...runs.map((run) => ({ value: String(run.id), label: runLabel(run) })),
        ]}
        onChange={onChoose}
      />
      <div className={runsBarClasses.actions}>
        <IconButton icon={IconTrash} label="Delete run" disabled={!chosen} onClick={() => setAsking('one')} />
        <IconButton
          icon={IconTrashX}
          label="Delete all runs"
          disabled={runs.length === 0}
          onClick={() => setAsking('all')}
        />
        <Button
          variant="default"
          leftSection={<IconColumns size={16} aria-hidden />}
          disabled={runs.length < 2}
          onClick={onCompare}
        >
          Compare
        </Button>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onChoose('')}>
          New Run
        </Button>
      </div>
      <ConfirmModal
        opened={asking === 'one'}
        title={`Delete run ${chosen ? `#${chosen.id} on ${chosen.target_asset}` : ''}?`}
        text={
          'Are you sure you want to delete this optimization run? Its results and generations are deleted. ' +
          (chosen && isInProgress(chosen)
            ? 'It is still in progress and will be cancelled first, which cannot be undone.'
            : 'A few seconds later this cannot be undone.')
        }
        confirmLabel="Delete run"
        busy={deleteRun.isPending}
        onCancel={() => setAsking(null)}
        onConfirm={confirmOne}
      />
      <ConfirmModal
        opened={asking === 'all'}
        title="Delete all runs?"
        text="Are you sure you want to delete all optimization runs? A few seconds later this cannot be undone."
        confirmLabel="Delete all runs"
        busy={deleteAll.isPending}
        onCancel={() => setAsking(null)}
        onConfirm={confirmAll}
      />
    </div>
  )
}
