import type { Study } from '@tradewright/contract/studies'
import { treeNumbers, withNumbers } from '@tradewright/core/rules/numbers'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { useMemo, useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { useFeatures } from '../../../strategy-form/queries.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { RecentRuns, RunPane, UnfinishedRun } from '../background-run/run-pane.tsx'
import type { BacktestForm } from '../form/form.ts'
import { readTree } from '../rules/exchange.ts'
import type { OpenInAddress } from '../use-open-in-address.ts'
import { studyQueries } from './queries.ts'
import { combinationValues, type CompletedStudy } from './study-cells.ts'
import { StudyResult } from './study-result.tsx'
import { StudySetup } from './study-setup.tsx'

interface StudyPaneProps {
  form: BacktestForm
  open: Exclude<OpenInAddress, null>
  onOpen: (open: OpenInAddress) => void
  /** Puts a tree with other numbers into the form. */
  onUse: (tree: RulesTree) => void
}

/** A parameter study in the place of the rules: its form, its progress, its result. */
export function StudyPane({ form, open, onOpen, onUse }: StudyPaneProps) {
  const studies = studyQueries.useRuns()
  return (
    <RunPane
      open={open}
      onOpen={onOpen}
      back="Back to the rules"
      another="New study"
      help={{ page: 'rules', label: 'How studies work' }}
    >
      {open === 'new' ? (
        <NewStudy form={form} onStarted={onOpen} />
      ) : (
        <OneStudy key={open} id={open} tree={form.rules} onUse={onUse} onGone={() => onOpen('new')} />
      )}
      <RecentRuns
        plural="studies"
        columns={['Study', 'Variants']}
        open={open}
        error={studies.error}
        runs={(studies.data ?? []).map((study) => ({
          id: study.id,
          to: `/backtest?study=${study.id}`,
          title: study.strategy_name,
          about: study.numbers.join(' × '),
          count: formatCount(study.variants),
          status: study.status,
          startedAt: study.created_at,
        }))}
      />
    </RunPane>
  )
}

function NewStudy({ form, onStarted }: { form: BacktestForm; onStarted: (id: number) => void }) {
  const features = useFeatures().data
  const numbers = useMemo(
    () => features && treeNumbers(form.rules, (key) => features.find((feature) => feature.key === key)?.name ?? key),
    [features, form.rules],
  )
  if (!numbers) return <CardSkeleton rows={6} />
  return <StudySetup form={form} numbers={numbers} onStarted={onStarted} />
}

interface OneStudyProps {
  id: number
  tree: RulesTree
  onUse: (tree: RulesTree) => void
  onGone: () => void
}

function OneStudy({ id, tree, onUse, onGone }: OneStudyProps) {
  const { data: study, error } = studyQueries.useRun(id)
  const [isAsking, setAsking] = useState(false)
  const remove = studyQueries.useDelete(onGone)
  if (error) return <Banner kind="error" text="The study cannot be shown." detail={error.message} />
  if (!study) return <CardSkeleton rows={8} />
  const use = (cell: number) => {
    const next = treeWith(study, tree, cell)
    if (next) onUse(next)
  }
  return (
    <>
      {isCompleted(study) ? (
        <StudyResult study={study} onUse={use} onDelete={() => setAsking(true)} />
      ) : (
        <Unfinished study={study} onDelete={() => setAsking(true)} />
      )}
      <ConfirmModal
        opened={isAsking}
        title="Delete this study?"
        text={`The figures of its ${formatCount(study.evaluated)} variants are deleted. A few seconds later this cannot be undone.`}
        confirmLabel="Delete study"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(study)}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

const isCompleted = (study: Study): study is CompletedStudy => study.results !== null

/** The present rules where they still have these numbers, else those that were studied. */
function treeWith(study: Study, present: RulesTree, cell: number): RulesTree | undefined {
  const values = combinationValues(study, cell).map((value, i) => [study.numbers[i]!.path, value] as const)
  const known = new Set(treeNumbers(present, (key) => key).map(({ path }) => path))
  if (values.every(([path]) => known.has(path))) return withNumbers(present, values)
  const studied = readTree(study.config.rules)
  return 'value' in studied ? withNumbers(studied.value, values) : undefined
}

function Unfinished({ study, onDelete }: { study: Study; onDelete: () => void }) {
  const cancel = studyQueries.useCancel()
  const [evaluated, variants] = [formatCount(study.evaluated), formatCount(study.variants)]
  return (
    <UnfinishedRun
      run={study}
      title={`${study.strategy_name}, ${variants} variants`}
      hint={study.numbers.map(({ label }) => label).join(' × ')}
      cancelLabel="Cancel study"
      progressLabel="Progress of the study"
      failure="The study failed."
      cancelled={`The study was cancelled after ${evaluated} of ${variants} variants. The best of a part would say little, so none is shown.`}
      isCancelling={cancel.isPending}
      onCancel={() => cancel.mutate(study.id)}
      onDelete={onDelete}
    />
  )
}
