import { Button } from '@mantine/core'
import { IconEraser, IconPencil, IconTrash } from '@tabler/icons-react'
import type { DataStore } from '@tradewright/contract/data-stores'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import type { SettingsMessage } from '../messages.ts'
import screen from '../settings-screen.module.css'
import type { Loss } from './delete-store-modals.tsx'
import { asDefault } from './store-form.ts'
import { useSaveStore } from './store-queries.ts'
import classes from './data-stores.module.css'

interface StoreRowProps {
  store: DataStore
  tell: (message: SettingsMessage) => void
  /** Not while the form of another one is open: it would close, and lose what was typed. */
  isEditable: boolean
  onEdit: () => void
  onLose: (what: Loss['what']) => void
}

export function StoreRow({ store, tell, isEditable, onEdit, onLose }: StoreRowProps) {
  const save = useSaveStore(tell)
  const { id, name } = store
  return (
    <div className={classes.store}>
      <div className={screen.words}>
        <p className={screen.name}>
          {name}
          {store.is_system && <Tag>System</Tag>}
          {store.is_default && <Tag tone="accent">Default</Tag>}
          {store.enter_again && <StatusPill shape="bars" word="Enter again" />}
        </p>
        <p className={screen.explanation}>{describe(store)}</p>
        {store.enter_again && (
          <p className={classes.unverified}>
            The stored password or key can no longer be read. Edit the store and enter it again.
          </p>
        )}
        {!store.enter_again && store.unverified_reason && (
          <p className={classes.unverified}>Not verified yet: {store.unverified_reason}</p>
        )}
      </div>
      <div className={classes.actions}>
        {!store.is_default && (
          <Button
            variant="default"
            disabled={save.isPending}
            aria-label={`Make default: ${name}`}
            onClick={() => save.mutate({ id, body: asDefault(store) })}
          >
            Make default
          </Button>
        )}
        {!store.is_system && (
          <IconButton icon={IconPencil} label={`Edit ${name}`} disabled={!isEditable} onClick={onEdit} />
        )}
        <IconButton icon={IconEraser} label={`Clear all data of ${name}`} onClick={() => onLose('clear')} />
        {!store.is_system && <IconButton icon={IconTrash} label={`Delete ${name}`} onClick={() => onLose('delete')} />}
      </div>
    </div>
  )
}

const PLACES = ['host', 'mongo_host', 'bucket', 'gcs_bucket', 'container_name', 'path']

/** `postgresql at db.example.com · parquet, snappy`. */
function describe(store: DataStore): string {
  const place = PLACES.map((field) => store.connection_config[field]).find((value) => typeof value === 'string')
  const where = store.is_system ? 'in the program’s own folder' : place ? `at ${place}` : ''
  return `${store.store_type} ${where} · ${store.default_format}, ${store.compression}, partitions: ${store.partition_strategy}`
}
