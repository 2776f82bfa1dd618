import { Button } from '@mantine/core'
import { IconColumns, IconPlus, IconTrash, IconTrashX } from '@tabler/icons-react'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { useState } from 'react'
import { useOfferUndo } from '../../deletions/use-offer-undo.ts'
import { ConfirmModal } from '../../ui/layout/confirm-modal.tsx'
import { SelectField } from '../../ui/form/fields.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { failedTo, type Message } from './messages.ts'
import { useDeleteAllRuns, useDeleteRun } from './queries.ts'
import { isInProgress, runLabel } from './run-status.ts'
import classes from './runs-bar.module.css'

interface RunsBarProps {
  runs: readonly OptimizationRunItem[]
  runId: string
  /** Empty: a new run. */
  onChoose: (runId: string) => void
  onCompare: () => void
  tell: (message: Message) => void
}

export function RunsBar({ runs, runId, onChoose, onCompare, tell }: RunsBarProps) {
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
    <div className={classes.bar}>
      <SelectField
        label="Previous runs"
        value={chosen ? runId : ''}
        options={[
          { value: '', label: runs.length === 0 ? 'No runs yet' : 'Choose a run...' },
          ...runs.map((run) => ({ value: String(run.id), label: runLabel(run) })),
        ]}
        onChange={onChoose}
      />
      <div className={classes.actions}>
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
