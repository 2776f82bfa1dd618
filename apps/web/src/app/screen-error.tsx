import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useLocation, useNavigate, useRouteError } from 'react-router'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { LinkButton } from '../ui/form/link-button.tsx'
import { DocumentTitle } from '../ui/layout/page.tsx'
import { isLoadFailure } from './load-failure.ts'

/** In the place of a screen that broke. The navigation around it stays usable. */
export function ScreenError() {
  const error = useRouteError()
  const navigate = useNavigate()
  const location = useLocation()

  useEffect(() => {
    // oxlint-disable-next-line no-console -- the place where a bug in a screen becomes visible to who looks for it
    console.error('A screen broke', error)
  }, [error])

  if (isLoadFailure(error)) return <LoadFailure />
  return (
    <>
      <DocumentTitle text="Something went wrong" />
      <EmptyState
        icon={IconAlertTriangle}
        titleAs="h1"
        title="This screen ran into a problem"
        text="The rest of Tradewright works. Try again, or continue on another screen; nothing you saved is lost."
        action={
          <>
            <Button onClick={() => void navigate(location, { replace: true })}>Try again</Button>
            <LinkButton to="/">Go to Home</LinkButton>
          </>
        }
      />
    </>
  )
}

function LoadFailure() {
  useEffect(() => {
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])

  return (
    <>
      <DocumentTitle text="Not loaded" />
      <EmptyState
        icon={IconCloudOff}
        titleAs="h1"
        title="This screen could not be loaded"
        text={
          navigator.onLine
            ? 'A new version may have been installed in the meantime. Loading the page again fetches it.'
            : 'You are offline, and this screen has not been opened on this device before.'
        }
        action={<Button onClick={() => window.location.reload()}>Load again</Button>}
      />
    </>
  )
}
