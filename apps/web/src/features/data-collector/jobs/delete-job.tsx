import type { CollectionJob } from '@tradewright/contract/data-collector'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import type { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { useDeleteJob } from './job-queries.ts'

interface DeleteJobProps {
  dialog: ReturnType<typeof useDialog<CollectionJob>>
  tell: Tell
}

export function DeleteJob({ dialog, tell }: DeleteJobProps) {
  const deletion = useDeleteJob(tell)
  const { subject: job } = dialog
  return (
    <ConfirmModal
      opened={dialog.isOpen}
      title={`Delete collection job “${job?.name ?? ''}”?`}
      text="Its schedule and run history are deleted too; the data it collected is kept. A few seconds later this cannot be undone."
      confirmLabel="Delete job"
      busy={deletion.isPending}
      onCancel={dialog.close}
      onConfirm={() => job && deletion.mutate(job, { onSettled: dialog.close })}
    />
  )
}
