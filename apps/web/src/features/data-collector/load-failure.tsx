import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useState } from 'react'
import { Banner } from '../../ui/feedback/banner.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { failed } from './notice.tsx'
import { useCollectionJobs, useDataStores, useProviders } from './queries.ts'

const SHOWN_MS = 10_000

/** Says once that the page's own lists could not be had; the tabs stay and offer to try again. */
export function LoadFailure() {
  const lists = [useProviders(), useDataStores(), useCollectionJobs()]
  const error = lists.find(({ isError }) => isError)?.error
  const [dismissed, setDismissed] = useState<unknown>(null)
  if (!error || dismissed === error) return null
  const { text, detail } = failed('load', error)
  return <Banner kind="error" text={text} detail={detail} closeAfterMs={SHOWN_MS} onClose={() => setDismissed(error)} />
}

/** In the place of a list, so that a failure is not taken for an empty list. */
export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      title="Could not load"
      text="The list could not be loaded. Stored data is not affected."
      action={
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  )
}
