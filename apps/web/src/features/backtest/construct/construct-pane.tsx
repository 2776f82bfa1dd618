import type { Construction, ConstructionItem } from '@tradewright/contract/construction'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { RecentRuns, RunPane, UnfinishedRun } from '../background-run/run-pane.tsx'
import type { BacktestForm } from '../form/form.ts'
import type { OpenInAddress } from '../use-open-in-address.ts'
import { type CompletedConstruction, ConstructResult } from './construct-result.tsx'
import { ConstructSetup } from './construct-setup.tsx'
import { constructionQueries } from './queries.ts'

interface ConstructPaneProps {
  form: BacktestForm
  open: Exclude<OpenInAddress, null>
  onOpen: (open: OpenInAddress) => void
  /** Puts weights into the form. */
  onUse: (rows: TickerRow[], label: string) => void
}

/** Portfolio construction in the wide column: its form, its progress, its result. */
export function ConstructPane({ form, open, onOpen, onUse }: ConstructPaneProps) {
  const constructions = constructionQueries.useRuns()
  return (
    <RunPane
      open={open}
      onOpen={onOpen}
      back="Back to the backtest"
      another="New construction"
      help={{ page: 'portfolio-construction', label: 'How construction works' }}
    >
      {open === 'new' ? (
        <ConstructSetup form={form} onStarted={onOpen} />
      ) : (
        <OneConstruction key={open} id={open} onUse={onUse} onGone={() => onOpen('new')} />
      )}
      <RecentRuns
        plural="constructions"
        columns={['Construction', 'Methods']}
        open={open}
        error={constructions.error}
        runs={(constructions.data ?? []).map((one) => ({
          id: one.id,
          to: `/backtest?construct=${one.id}`,
          title: titleOf(one),
          about: one.tickers.join(' · '),
          count: formatCount(one.methods.length),
          status: one.status,
          startedAt: one.created_at,
        }))}
      />
    </RunPane>
  )
}

interface OneConstructionProps {
  id: number
  onUse: ConstructPaneProps['onUse']
  onGone: () => void
}

function OneConstruction({ id, onUse, onGone }: OneConstructionProps) {
  const { data: construction, error } = constructionQueries.useRun(id)
  const [isAsking, setAsking] = useState(false)
  const remove = constructionQueries.useDelete(onGone)
  if (error) return <Banner kind="error" text="The construction cannot be shown." detail={error.message} />
  if (!construction) return <CardSkeleton rows={8} />
  return (
    <>
      {isCompleted(construction) ? (
        <ConstructResult construction={construction} onUse={onUse} onDelete={() => setAsking(true)} />
      ) : (
        <Unfinished construction={construction} onDelete={() => setAsking(true)} />
      )}
      <ConfirmModal
        opened={isAsking}
        title="Delete this construction?"
        text="Its weights, figures and frontier are deleted. A few seconds later this cannot be undone."
        confirmLabel="Delete construction"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(construction)}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

const isCompleted = (construction: Construction): construction is CompletedConstruction => construction.results !== null

function Unfinished({ construction, onDelete }: { construction: Construction; onDelete: () => void }) {
  const cancel = constructionQueries.useCancel()
  return (
    <UnfinishedRun
      run={construction}
      title={titleOf(construction)}
      hint={formatDateRange(construction.start_date, construction.end_date)}
      cancelLabel="Cancel"
      progressLabel="Progress of the construction"
      failure="No weights were found."
      cancelled="It was cancelled before all methods were done."
      isCancelling={cancel.isPending}
      onCancel={() => cancel.mutate(construction.id)}
      onDelete={onDelete}
    />
  )
}

const titleOf = ({ name, tickers }: ConstructionItem): string => (name.trim() === '' ? tickers.join(', ') : name)
