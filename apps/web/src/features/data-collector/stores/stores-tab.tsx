import type { DataStore } from '@tradewright/contract/data-stores'
import { useState } from 'react'
import { Link } from 'react-router'
import { Card } from '../../../ui/layout/card.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { NotLoaded } from '../load-failure.tsx'
import { useDataStores } from '../queries.ts'
import { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { QualityCard } from './quality-card.tsx'
import { StoreCard } from './store-card.tsx'
import classes from './stores-tab.module.css'
import { TypedConfirmModal } from '../../../ui/layout/typed-confirm-modal.tsx'
import { useClearStore, useDeleteStore } from './store-queries.ts'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'

export function StoresTab({ tell }: { tell: Tell }) {
  const stores = useDataStores()
  const clearing = useDialog<DataStore>()
  const deletion = useDialog<DataStore>()
  const [examined, setExamined] = useState<number | null>(null)
  const store = stores.data?.find(({ id }) => id === examined)
  return (
    <div className={classes.tab}>
      <p className={classes.note}>
        New stores are added in <Link to="/settings#data-stores">Settings</Link>.
      </p>
      {stores.isPending && (
        <Card>
          <CardSkeleton rows={4} />
        </Card>
      )}
      {stores.isError && !stores.data && (
        <Card>
          <NotLoaded onRetry={() => void stores.refetch()} />
        </Card>
      )}
      <div className={classes.cards}>
        {stores.data?.map((one) => (
          <StoreCard
            key={one.id}
            store={one}
            isExamined={one.id === examined}
            onExamine={() => setExamined(one.id === examined ? null : one.id)}
            onClear={() => clearing.open(one)}
            onDelete={() => deletion.open(one)}
          />
        ))}
      </div>
      {store && <QualityCard key={store.id} store={store} onClose={() => setExamined(null)} />}
      <ClearStore dialog={clearing} tell={tell} />
      <DeleteStore dialog={deletion} tell={tell} />
    </div>
  )
}

interface ClearStoreProps {
  dialog: ReturnType<typeof useDialog<DataStore>>
  tell: Tell
}

function ClearStore({ dialog, tell }: ClearStoreProps) {
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

interface DeleteStoreProps {
  dialog: ReturnType<typeof useDialog<DataStore>>
  tell: Tell
}

function DeleteStore({ dialog, tell }: DeleteStoreProps) {
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
