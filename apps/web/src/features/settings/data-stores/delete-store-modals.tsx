import type { DataStore } from '@tradewright/contract/data-stores'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { TypedConfirmModal } from '../../../ui/layout/typed-confirm-modal.tsx'
import type { SettingsMessage } from '../messages.ts'
import { useClearStore, useDeleteStore } from './store-queries.ts'

export interface Loss {
  what: 'delete' | 'clear'
  store: DataStore
  /** The words stay while the dialog closes. */
  isOpen: boolean
}

interface DeleteStoreModalsProps {
  loss: Loss | null
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

/** Asks before either of the two ways to lose data. */
export function DeleteStoreModals({ loss, tell, onClose }: DeleteStoreModalsProps) {
  const deletion = useDeleteStore(tell)
  const clearing = useClearStore(tell)
  const store = loss?.store
  const files = store?.store_type === 'local' ? 'Its files are removed as well.' : 'The data in it is kept.'
  return (
    <>
      <ConfirmModal
        opened={loss?.what === 'delete' && loss.isOpen}
        title={`Delete data store “${store?.name ?? ''}”?`}
        text={`${files} This cannot be undone.`}
        confirmLabel="Delete data store"
        busy={deletion.isPending}
        onCancel={onClose}
        onConfirm={() => store && deletion.mutate(store.id, { onSettled: onClose })}
      />
      <TypedConfirmModal
        opened={loss?.what === 'clear' && loss.isOpen}
        title={`Clear all data of “${store?.name ?? ''}”?`}
        text="Every record in all three layers is removed; the store itself remains. This cannot be undone."
        word="CLEAR"
        confirmLabel="Clear all data"
        busy={clearing.isPending}
        onCancel={onClose}
        onConfirm={() => store && clearing.mutate(store.id, { onSettled: onClose })}
      />
    </>
  )
}
