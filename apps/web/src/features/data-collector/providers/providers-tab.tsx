import { Button } from '@mantine/core'
import { IconPlugConnected, IconSparkles } from '@tabler/icons-react'
import type { Provider } from '@tradewright/contract/data-collector'
import { Card } from '../../../ui/layout/card.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { NotLoaded } from '../load-failure.tsx'
import { useProviders } from '../queries.ts'
import { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { GenerateModal } from './generate-modal.tsx'
import { ProviderCard } from './provider-card.tsx'
import { useDeleteProvider } from './provider-queries.ts'
import classes from './providers-tab.module.css'
import { RenameProvider } from './rename-provider.tsx'

export function ProvidersTab({ tell }: { tell: Tell }) {
  const providers = useProviders()
  const generation = useDialog<true>()
  const renaming = useDialog<Provider>()
  const removal = useDialog<Provider>()
  const deletion = useDeleteProvider(tell)
  const { subject: removed } = removal
  return (
    <div className={classes.tab}>
      <div className={classes.head}>
        <p className={classes.note}>Data sources, and the limits of each provider</p>
        <Button leftSection={<IconSparkles size={15} aria-hidden />} onClick={() => generation.open(true)}>
          Generate Custom Provider
        </Button>
      </div>
      {providers.isPending && (
        <Card>
          <CardSkeleton rows={5} />
        </Card>
      )}
      {providers.isError && !providers.data && (
        <Card>
          <NotLoaded onRetry={() => void providers.refetch()} />
        </Card>
      )}
      {providers.data?.length === 0 && (
        <Card>
          <EmptyState
            icon={IconPlugConnected}
            title="No Providers Configured"
            text="Generate a custom provider from the documentation of an API, or ask the operator of this site."
          />
        </Card>
      )}
      <div className={classes.cards}>
        {providers.data?.map((provider) => (
          <ProviderCard
            key={provider.id}
            provider={provider}
            onRename={() => renaming.open(provider)}
            onDelete={() => removal.open(provider)}
          />
        ))}
      </div>
      <GenerateModal dialog={generation} tell={tell} />
      <RenameProvider dialog={renaming} tell={tell} />
      <ConfirmModal
        opened={removal.isOpen}
        title={`Delete provider “${removed?.display_name ?? ''}”?`}
        text="Its definition and key are removed; the data it collected is kept. This cannot be undone."
        confirmLabel="Delete provider"
        busy={deletion.isPending}
        onCancel={removal.close}
        onConfirm={() => removed && deletion.mutate(removed.id, { onSettled: removal.close })}
      />
    </div>
  )
}
