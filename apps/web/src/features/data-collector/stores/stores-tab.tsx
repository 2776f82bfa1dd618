import type { DataStore } from '@tradewright/contract/data-stores'
import { useState } from 'react'
import { Link } from 'react-router'
import { Card } from '../../../ui/layout/card.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { NotLoaded } from '../load-failure.tsx'
import { useDataStores } from '../queries.ts'
import { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { ClearStore } from './clear-store.tsx'
import { DeleteStore } from './delete-store.tsx'
import { QualityCard } from './quality-card.tsx'
import { StoreCard } from './store-card.tsx'
import classes from './stores-tab.module.css'

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
