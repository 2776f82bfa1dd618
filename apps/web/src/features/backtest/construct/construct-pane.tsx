import { Button } from '@mantine/core'
import { IconArrowLeft, IconPlus } from '@tabler/icons-react'
import type { Construction, ConstructionItem } from '@tradewright/contract/construction'
import { useState } from 'react'
import { Link } from 'react-router'
import { HelpLink } from '../../../help/help-link.tsx'
import { formatPast } from '../../../lib/format-age.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import type { TickerRow } from '../../../strategy-form/ticker-row.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import type { BacktestForm } from '../form.ts'
import type { OpenInAddress } from '../use-open-in-address.ts'
import { type CompletedConstruction, ConstructResult } from './construct-result.tsx'
import { ConstructSetup } from './construct-setup.tsx'
import { useCancelConstruction, useConstruction, useConstructions, useDeleteConstruction } from './queries.ts'
import classes from './construct.module.css'

interface ConstructPaneProps {
  form: BacktestForm
  open: Exclude<OpenInAddress, null>
  onOpen: (open: OpenInAddress) => void
  /** Puts weights into the form. */
  onUse: (rows: TickerRow[], label: string) => void
}

/** Portfolio construction in the wide column: its form, its progress, its result. */
export function ConstructPane({ form, open, onOpen, onUse }: ConstructPaneProps) {
  return (
    <div className={classes.pane}>
      <div className={classes.bar}>
        <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={() => onOpen(null)}>
          Back to the backtest
        </Button>
        {open !== 'new' && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen('new')}>
            New construction
          </Button>
        )}
        <HelpLink page="portfolio-construction">How construction works</HelpLink>
      </div>
      {open === 'new' ? (
        <ConstructSetup form={form} onStarted={onOpen} />
      ) : (
        <OneConstruction key={open} id={open} onUse={onUse} onGone={() => onOpen('new')} />
      )}
      <Recent open={open} />
    </div>
  )
}

interface OneConstructionProps {
  id: number
  onUse: ConstructPaneProps['onUse']
  onGone: () => void
}

function OneConstruction({ id, onUse, onGone }: OneConstructionProps) {
  const { data: construction, error } = useConstruction(id)
  const [isAsking, setAsking] = useState(false)
  const remove = useDeleteConstruction(onGone)
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
        text="Its weights, figures and frontier are deleted."
        confirmLabel="Delete construction"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id)}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

const isCompleted = (construction: Construction): construction is CompletedConstruction => construction.results !== null

function Unfinished({ construction, onDelete }: { construction: Construction; onDelete: () => void }) {
  const cancel = useCancelConstruction()
  const isRunning = construction.status === 'running'
  return (
    <Card
      title={titleOf(construction)}
      hint={formatDateRange(construction.start_date, construction.end_date)}
      actions={
        isRunning ? (
          <Button variant="default" disabled={cancel.isPending} onClick={() => cancel.mutate(construction.id)}>
            {cancel.isPending ? 'Cancelling...' : 'Cancel'}
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
              value={construction.progress?.fraction ?? 0}
              aria-label="Progress of the construction"
            />
            <p className={`${classes.note} tabular`}>{construction.progress?.note}</p>
            <p className={classes.note}>It goes on when you leave this page.</p>
          </>
        ) : construction.status === 'failed' ? (
          <Banner kind="error" text="No weights were found." detail={construction.error_message} />
        ) : (
          <p className={classes.note}>It was cancelled before all methods were done.</p>
        )}
      </CardSection>
    </Card>
  )
}

const titleOf = ({ name, tickers }: ConstructionItem): string => (name.trim() === '' ? tickers.join(', ') : name)

const RECENT = 10
const STATUS_WORDS: Readonly<Record<ConstructionItem['status'], string>> = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

function Recent({ open }: { open: OpenInAddress }) {
  const constructions = useConstructions()
  const now = useNow()
  if (constructions.isError) {
    return <Banner kind="error" text="Failed to load recent constructions" detail={constructions.error.message} />
  }
  const others = (constructions.data ?? []).filter(({ id }) => id !== open).slice(0, RECENT)
  if (others.length === 0) return null
  return (
    <Card title="Recent constructions">
      <Table label="Recent constructions">
        <thead>
          <tr>
            <th>Construction</th>
            <th className={numeric}>Methods</th>
            <th className={secondary}>Status</th>
            <th className={numeric}>Started</th>
          </tr>
        </thead>
        <tbody>
          {others.map((one) => (
            <tr key={one.id}>
              <td>
                <Link to={`/backtest?construct=${one.id}`}>{titleOf(one)}</Link>
                <span className={classes.below}>{one.tickers.join(' · ')}</span>
              </td>
              <td className={numeric}>{one.methods.length}</td>
              <td className={secondary}>{STATUS_WORDS[one.status]}</td>
              <td className={numeric}>{formatPast(one.created_at, now)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
