import { Button } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useState } from 'react'
import { ConfirmModal } from '../../ui/layout/confirm-modal.tsx'
import { useEmergencyStop } from './actions.ts'
import classes from './emergency-stop.module.css'
import type { Tell } from './messages.ts'

interface EmergencyStopProps {
  /** Null: all of them. */
  deployment: { id: number; name: string } | null
  tell: Tell
}

/** Works while data or database are ill, so it is offered even where nothing else could be loaded. */
export function EmergencyStop({ deployment, tell }: EmergencyStopProps) {
  const [isAsking, setAsking] = useState(false)
  const stop = useEmergencyStop(tell)
  const close = () => setAsking(false)
  return (
    <>
      <Button
        variant="default"
        className={classes.button ?? ''}
        leftSection={<IconHandStop size={16} stroke={1.7} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {deployment ? 'Emergency stop' : 'Emergency stop, all'}
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={deployment ? `Emergency stop of “${deployment.name}”?` : 'Emergency stop of all deployments?'}
        text={
          'No new orders will be sent, and open orders are cancelled. ' +
          'Positions are kept as they are. Start again whenever you want to.'
        }
        confirmLabel={deployment ? 'Stop at once' : 'Stop all at once'}
        busy={stop.isPending}
        onCancel={close}
        onConfirm={() => stop.mutate(deployment?.id ?? null, { onSettled: close })}
      />
    </>
  )
}
