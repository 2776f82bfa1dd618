import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { useControl, useDeleteDeployment } from '../actions.ts'
import { GoLiveModal } from '../go-live/go-live-modal.tsx'
import type { Tell } from '../messages.ts'
import { StopModal } from './stop-modal.tsx'

export type Asked = { what: 'stop' | 'delete' | 'start' | 'resume'; deployment: Deployment } | null

interface StateChangesProps {
  asked: Asked
  tell: Tell
  onClose: () => void
  onDeleted?: () => void
}

/** Asks before a deployment is stopped or deleted, or trades real money. */
export function StateChanges({ asked, tell, onClose, onDeleted }: StateChangesProps) {
  const deletion = useDeleteDeployment(tell)
  const control = useControl(tell)
  const step = asked?.what === 'start' || asked?.what === 'resume' ? asked.what : null
  const name = asked?.deployment.deployment_name ?? ''
  return (
    <>
      {asked && step && (
        <GoLiveModal
          deployment={asked.deployment}
          step={step}
          isBusy={control.isPending}
          onConfirm={(confirmation) =>
            control.mutate({ id: asked.deployment.id, action: step, confirmation }, { onSettled: onClose })
          }
          onClose={onClose}
        />
      )}
      <StopModal deployment={asked?.what === 'stop' ? asked.deployment : null} tell={tell} onClose={onClose} />
      <ConfirmModal
        opened={asked?.what === 'delete'}
        title={`Delete deployment “${name}”?`}
        text={
          'This removes its model files, logs and trade history and cannot be undone. ' +
          'Its money and positions stay in the account, unallocated.'
        }
        confirmLabel="Delete deployment"
        busy={deletion.isPending}
        onCancel={onClose}
        onConfirm={() => {
          if (asked) deletion.mutate(asked.deployment.id, { onSuccess: () => onDeleted?.(), onSettled: onClose })
        }}
      />
    </>
  )
}
