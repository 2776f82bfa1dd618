import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { DataStore } from '@tradewright/contract/data-stores'
import { useState } from 'react'
import { CardSection } from '../../../ui/layout/card.tsx'
import type { SettingsMessage } from '../messages.ts'
import { LoadedSection } from '../settings-section.tsx'
import { DeleteStoreModals, type Loss } from './delete-store-modals.tsx'
import { StoreFields } from './store-fields-form.tsx'
import { useDataStores } from './store-queries.ts'
import { StoreRow } from './store-row.tsx'

export function DataStoresSection({ tell }: { tell: (message: SettingsMessage) => void }) {
  const [editing, setEditing] = useState<DataStore | 'new' | null>(null)
  const [loss, setLoss] = useState<Loss | null>(null)
  const close = () => setEditing(null)
  return (
    <LoadedSection
      id="data-stores"
      hint="Where collected market data is kept. A connection is tested before it is saved."
      loading={useDataStores()}
      failure="The data stores could not be loaded"
      actions={
        editing === null && (
          <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setEditing('new')}>
            Add Data Store
          </Button>
        )
      }
      lead={
        editing === 'new' && (
          <CardSection>
            <StoreFields store={undefined} tell={tell} onClose={close} />
          </CardSection>
        )
      }
    >
      {(stores) => (
        <>
          {stores.map((store) => (
            <CardSection key={store.id}>
              {editing !== 'new' && editing?.id === store.id ? (
                <StoreFields store={store} tell={tell} onClose={close} />
              ) : (
                <StoreRow
                  store={store}
                  tell={tell}
                  isEditable={editing === null}
                  onEdit={() => setEditing(store)}
                  onLose={(what) => setLoss({ what, store, isOpen: true })}
                />
              )}
            </CardSection>
          ))}
          <DeleteStoreModals loss={loss} tell={tell} onClose={() => setLoss(loss && { ...loss, isOpen: false })} />
        </>
      )}
    </LoadedSection>
  )
}
