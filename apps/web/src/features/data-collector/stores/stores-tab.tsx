import type { DataStore } from '@tradewright/contract/data-stores'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconEraser, IconPencil, IconReportSearch, IconTrash } from '@tabler/icons-react'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { NotLoaded } from '../load-failure.tsx'
import { useDataStores } from '../queries.ts'
import { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { QualityCard } from './quality-card.tsx'
import classes from './stores-tab.module.css'
import { TypedConfirmModal } from '../../../ui/layout/typed-confirm-modal.tsx'
import { useClearStore, useDeleteStore } from './store-queries.ts'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { formatDate } from '../../../lib/format-time.ts'
import { Fact, Facts } from '../../../ui/table/facts.tsx'
import { IconButton, IconLink } from '../../../ui/form/icon-button.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'

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

interface StoreCardProps {
  store: DataStore
  isExamined: boolean
  onExamine: () => void
  onClear: () => void
  onDelete: () => void
}

function StoreCard({ store, isExamined, onExamine, onClear, onDelete }: StoreCardProps) {
  const { name } = store
  return (
    <Card
      title={name}
      actions={
        <>
          {store.is_system && <Tag>System</Tag>}
          {store.is_default && <Tag tone="accent">Default</Tag>}
        </>
      }
    >
      <CardSection>
        <Facts>
          <Fact label="Type">{store.store_type}</Fact>
          <Fact label="Format">{store.default_format}</Fact>
          <Fact label="Partitions">{store.partition_strategy}</Fact>
          <Fact label="Compression">{store.compression}</Fact>
          <Fact label="Created">{formatDate(store.created_at)}</Fact>
        </Facts>
        {store.unverified_reason && (
          <p className={classes.unverified}>
            <IconAlertTriangle size={14} aria-hidden /> Not verified yet: {store.unverified_reason}
          </p>
        )}
      </CardSection>
      <div className={classes.foot}>
        <Button
          variant="default"
          leftSection={<IconReportSearch size={15} aria-hidden />}
          aria-expanded={isExamined}
          onClick={onExamine}
        >
          Data quality
        </Button>
        <span className={classes.actions}>
          {!store.is_system && (
            <IconLink icon={IconPencil} label={`Edit ${name} in Settings`} to="/settings#data-stores" />
          )}
          <IconButton icon={IconEraser} label={`Clear all data of ${name}`} onClick={onClear} />
          <IconButton
            icon={IconTrash}
            label={store.is_system ? 'The system store cannot be deleted' : `Delete ${name}`}
            disabled={store.is_system}
            onClick={onDelete}
          />
        </span>
      </div>
    </Card>
  )
}
