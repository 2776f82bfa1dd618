import type { DataStore } from '@tradewright/contract/data-stores'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import type { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { useDeleteStore } from './store-queries.ts'

interface DeleteStoreProps {
  dialog: ReturnType<typeof useDialog<DataStore>>
  tell: Tell
}

export function DeleteStore({ dialog, tell }: DeleteStoreProps) {
  const deletion = useDeleteStore(tell)
  const { subject: store } = dialog
  const files = store?.store_type === 'local' ? 'Its files are removed as well.' : 'The data in it is kept.'
  return (
    <ConfirmModal
      opened={dialog.isOpen}
      title={`Delete data store “${store?.name ?? ''}”?`}
      text={`${files} This cannot be undone.`}
      confirmLabel="Delete data store"
      busy={deletion.isPending}
      onCancel={dialog.close}
      onConfirm={() => store && deletion.mutate(store.id, { onSettled: dialog.close })}
    />
  )
}
