import { Button } from '@mantine/core'
import { IconArrowLeft, IconPlus } from '@tabler/icons-react'
import type { Study, StudyItem } from '@tradewright/contract/studies'
import { treeNumbers, withNumbers } from '@tradewright/core/rules/numbers'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { HelpLink } from '../../../help/help-link.tsx'
import { formatPast } from '../../../lib/format-age.ts'
import { formatCount } from '../../../lib/format.ts'
import { useFeatures } from '../../../strategy-form/queries.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import type { BacktestForm } from '../form.ts'
import { readTree } from '../rules/exchange.ts'
import { useCancelStudy, useDeleteStudy, useStudies, useStudy } from './queries.ts'
import { combinationValues, type CompletedStudy } from './study-cells.ts'
import { StudyResult } from './study-result.tsx'
import { StudySetup } from './study-setup.tsx'
import type { OpenInAddress as OpenStudy } from '../use-open-in-address.ts'
import classes from './study.module.css'

interface StudyPaneProps {
  form: BacktestForm
  open: Exclude<OpenStudy, null>
  onOpen: (open: OpenStudy) => void
  /** Puts a tree with other numbers into the form. */
  onUse: (tree: RulesTree) => void
}

/** A parameter study in the place of the rules: its form, its progress, its result. */
export function StudyPane({ form, open, onOpen, onUse }: StudyPaneProps) {
  return (
    <div className={classes.pane}>
      <div className={classes.bar}>
        <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={() => onOpen(null)}>
          Back to the rules
        </Button>
        {open !== 'new' && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen('new')}>
            New study
          </Button>
        )}
        <HelpLink page="rules">How studies work</HelpLink>
      </div>
      {open === 'new' ? (
        <NewStudy form={form} onStarted={onOpen} />
      ) : (
        <OneStudy key={open} id={open} tree={form.rules} onUse={onUse} onGone={() => onOpen('new')} />
      )}
      <RecentStudies open={open} />
    </div>
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
  const { data: study, error } = useStudy(id)
  const [isAsking, setAsking] = useState(false)
  const remove = useDeleteStudy(onGone)
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
        text={`The figures of its ${formatCount(study.evaluated)} variants are deleted.`}
        confirmLabel="Delete study"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id)}
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
  const cancel = useCancelStudy()
  const isRunning = study.status === 'running'
  return (
    <Card
      title={`${study.strategy_name}, ${formatCount(study.variants)} variants`}
      hint={study.numbers.map(({ label }) => label).join(' × ')}
      actions={
        isRunning ? (
          <Button variant="default" disabled={cancel.isPending} onClick={() => cancel.mutate(study.id)}>
            {cancel.isPending ? 'Cancelling...' : 'Cancel study'}
          </Button>
        ) : (
          <Button variant="default" onClick={onDelete}>
            Delete
          </Button>
        )
      }
    >
      <CardSection>
        {isRunning ? (
          <>
            <progress
              className={classes.progress}
              max={1}
              value={study.progress?.fraction ?? 0}
              aria-label="Progress of the study"
            />
            <p className={`${classes.note} tabular`}>{study.progress?.note}</p>
            <p className={classes.note}>It goes on when you leave this page.</p>
          </>
        ) : study.status === 'failed' ? (
          <Banner kind="error" text="The study failed." detail={study.error_message} />
        ) : (
          <p className={classes.note}>
            The study was cancelled after {formatCount(study.evaluated)} of {formatCount(study.variants)} variants. The
            best of a part would say little, so none is shown.
          </p>
        )}
      </CardSection>
    </Card>
  )
}

const RECENT = 10
const STATUS_WORDS: Readonly<Record<StudyItem['status'], string>> = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

function RecentStudies({ open }: { open: OpenStudy }) {
  const studies = useStudies()
  const now = useNow()
  if (studies.isError)
    return <Banner kind="error" text="Failed to load recent studies" detail={studies.error.message} />
  const others = (studies.data ?? []).filter(({ id }) => id !== open).slice(0, RECENT)
  if (others.length === 0) return null
  return (
    <Card title="Recent studies">
      <Table label="Recent studies">
        <thead>
          <tr>
            <th>Study</th>
            <th className={numeric}>Variants</th>
            <th className={secondary}>Status</th>
            <th className={numeric}>Started</th>
          </tr>
        </thead>
        <tbody>
          {others.map((study) => (
            <tr key={study.id}>
              <td>
                <Link to={`/backtest?study=${study.id}`}>{study.strategy_name}</Link>
                <span className={classes.below}>{study.numbers.join(' × ')}</span>
              </td>
              <td className={numeric}>{formatCount(study.variants)}</td>
              <td className={secondary}>{STATUS_WORDS[study.status]}</td>
              <td className={numeric}>{formatPast(study.created_at, now)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
