import { Button } from '@mantine/core'
import { IconWifiOff } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { DocumentTitle } from '../ui/layout/page.tsx'
import { ScreenSkeleton } from '../ui/feedback/skeletons.tsx'
import { FullHeightSpinner } from '../ui/feedback/spinner.tsx'
import { arrivalFrom, returnPathOf } from './return-path.ts'
import { useSession } from './session-context.ts'

/** Screens for signed-in users. */
export function RequireUser() {
  const { session, askAgain } = useSession()
  const location = useLocation()
  if (session.state === 'loading') return <FullHeightSpinner />
  if (session.state === 'offline') return <OfflineScreen onTryAgain={askAgain} />
  if (session.state === 'signed out') return <Navigate to="/login" replace state={arrivalFrom(location)} />
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <Outlet />
    </Suspense>
  )
}

/** Sign in and Register: a signed-in user is sent on to where they wanted to go, else Home. */
export function VisitorsOnly() {
  const { session } = useSession()
  const { state } = useLocation()
  if (session.state === 'signed in') return <Navigate to={returnPathOf(state)} replace />
  return (
    <Suspense fallback={null}>
      <Outlet />
    </Suspense>
  )
}

/** Screens that need no session. */
export function AnyVisitor() {
  return (
    <Suspense fallback={null}>
      <Outlet />
    </Suspense>
  )
}

function OfflineScreen({ onTryAgain }: { onTryAgain: () => void }) {
  return (
    <>
      <DocumentTitle text="Offline" />
      <EmptyState
        icon={IconWifiOff}
        titleAs="h1"
        title="You are offline"
        text="Tradewright is installed on this device, but your data lives on the server. It continues as soon as the connection is back."
        action={
          <Button variant="default" onClick={onTryAgain}>
            Try again
          </Button>
        }
      />
    </>
  )
}
