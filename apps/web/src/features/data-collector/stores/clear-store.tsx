import type { DataStore } from '@tradewright/contract/data-stores'
import { TypedConfirmModal } from '../../../ui/layout/typed-confirm-modal.tsx'
import type { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { useClearStore } from './store-queries.ts'

interface ClearStoreProps {
  dialog: ReturnType<typeof useDialog<DataStore>>
  tell: Tell
}

export function ClearStore({ dialog, tell }: ClearStoreProps) {
  const clearing = useClearStore(tell)
  const { subject: store } = dialog
  return (
    <TypedConfirmModal
      opened={dialog.isOpen}
      title={`Clear all data of “${store?.name ?? ''}”?`}
      text="Every record in all three layers is removed; the store itself and your jobs remain. This cannot be undone."
      word="CLEAR"
      confirmLabel="Clear all data"
      busy={clearing.isPending}
      onCancel={dialog.close}
      onConfirm={() => store && clearing.mutate(store.id, { onSettled: dialog.close })}
    />
  )
}
