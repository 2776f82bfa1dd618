import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import { useState } from 'react'
import { ConfirmModal } from '../../ui/layout/confirm-modal.tsx'
import { failedTo, type Message } from './messages.ts'
import { type Control, useControlRun } from './queries.ts'
import classes from './run-progress-card.module.css'
import { currentGeneration } from './run-status.ts'

interface RunControlsProps {
  run: OptimizationRun
  tell: (message: Message) => void
}

/** Holding a run loses nothing and is done at once; ending it is for good, so it asks. */
export function RunControls({ run, tell }: RunControlsProps) {
  const control = useControlRun(String(run.id))
  const [isAsking, setAsking] = useState(false)
  const isOff = run.status === 'cancel_requested' || control.isPending
  const ask = (what: Control) =>
    control.mutate(what, {
      onError: (error) => tell(failedTo(`${what} run`, error)),
      onSettled: () => setAsking(false),
    })
  return (
    <div className={classes.controls}>
      {run.paused ? (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          disabled={isOff}
          onClick={() => ask('resume')}
        >
          Resume
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={14} aria-hidden />}
          disabled={isOff}
          onClick={() => ask('pause')}
        >
          Pause
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconX size={14} aria-hidden />}
        disabled={isOff}
        onClick={() => setAsking(true)}
      >
        Cancel run
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={`Cancel run #${run.id} on ${run.target_asset}?`}
        text={lossOf(run)}
        confirmLabel="Cancel run"
        cancelLabel="Keep the run"
        busy={control.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={() => ask('cancel')}
      />
    </div>
  )
}

function lossOf({ paused, ga_parameters: { generations }, generation_history }: OptimizationRun): string {
  const done = currentGeneration(generation_history)
  const kept = done === 0 ? 'It has no results yet.' : `What it found in ${done} of ${generations} generations is kept.`
  return `The run ends permanently. ${kept}${paused ? '' : ' To continue later, pause it instead.'}`
}
