import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { DataStore } from '@tradewright/contract/data-stores'
import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Card, CardSection } from '../../../ui/card.tsx'
import { CardSkeleton } from '../../../ui/skeletons.tsx'
import type { SettingsMessage } from '../messages.ts'
import screen from '../settings-screen.module.css'
import { LoseStoreModals, type Loss } from './lose-store-modals.tsx'
import { StoreFields } from './store-fields-form.tsx'
import { useDataStores } from './store-queries.ts'
import { StoreRow } from './store-row.tsx'

export function DataStoresSection({ tell }: { tell: (message: SettingsMessage) => void }) {
  const stores = useDataStores()
  const [editing, setEditing] = useState<DataStore | 'new' | null>(null)
  const [loss, setLoss] = useState<Loss | null>(null)
  const close = () => setEditing(null)
  return (
    <Card
      id="data-stores"
      title="Data Store Configuration"
      hint="Where collected market data is kept. A connection is tried before it is saved."
      actions={
        editing === null && (
          <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setEditing('new')}>
            Add Data Store
          </Button>
        )
      }
    >
      {editing === 'new' && (
        <CardSection>
          <StoreFields store={undefined} tell={tell} onClose={close} />
        </CardSection>
      )}
      {stores.isPending && <CardSkeleton rows={2} />}
      {stores.isError && (
        <div className={screen.inset}>
          <Banner
            kind="error"
            text="The data stores could not be loaded"
            detail={stores.error.message}
            action={
              <Button variant="default" onClick={() => void stores.refetch()}>
                Try again
              </Button>
            }
          />
        </div>
      )}
      {stores.data?.map((store) => (
        <CardSection key={store.id}>
          {editing !== 'new' && editing?.id === store.id ? (
            <StoreFields store={store} tell={tell} onClose={close} />
          ) : (
            <StoreRow
              store={store}
              tell={tell}
              onEdit={() => setEditing(store)}
              onLose={(what) => setLoss({ what, store, isOpen: true })}
            />
          )}
        </CardSection>
      ))}
      <LoseStoreModals loss={loss} tell={tell} onClose={() => setLoss(loss && { ...loss, isOpen: false })} />
    </Card>
  )
}
