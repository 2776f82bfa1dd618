import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { useDeleteDeployment } from '../actions.ts'
import type { Tell } from '../messages.ts'
import { StopModal } from './stop-modal.tsx'

export type Asked = { what: 'stop' | 'delete'; deployment: Deployment } | null

interface StateChangesProps {
  asked: Asked
  tell: Tell
  onClose: () => void
  onDeleted?: () => void
}

/** Asks before a deployment is stopped or deleted. */
export function StateChanges({ asked, tell, onClose, onDeleted }: StateChangesProps) {
  const deletion = useDeleteDeployment(tell)
  const name = asked?.deployment.deployment_name ?? ''
  return (
    <>
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
