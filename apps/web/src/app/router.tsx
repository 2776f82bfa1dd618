import type { ScreenPath } from '@tradewright/contract/screens'
import { VERIFY_EMAIL_PATH } from '@tradewright/contract/email'
import { lazy, Suspense, useEffect } from 'react'
import {
  createBrowserRouter,
  type RouteObject,
  Navigate,
  Outlet,
  useLocation,
  useNavigate,
  useRouteError,
} from 'react-router'
import { Button } from '@mantine/core'
import { IconWifiOff, IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import { SignInScreen } from '../features/sign-in/sign-in-screen.tsx'
import { browserStorage } from '../lib/browser-storage.ts'
import { Layout } from './layout.tsx'
import { NotFound, DocumentTitle } from '../ui/layout/page.tsx'
import { SCREEN_CODE } from './screens.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ScreenSkeleton, FullHeightSpinner } from '../ui/feedback/skeletons.tsx'
import { arrivalFrom, returnPathOf, useSession } from './session.ts'
import { LinkButton } from '../ui/form/buttons.tsx'

/** Each browser has its own words for a part of the app that could not be fetched. */
const SENTENCES = [
  /failed to fetch dynamically imported module/i, // Chromium
  /error loading dynamically imported module/i, // Firefox
  /importing a module script failed/i, // Safari
  /unable to preload css/i, // the bundler's own
]

export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && SENTENCES.some((sentence) => sentence.test(error.message))
}

const RELOADED_AT = 'tradewright-reloaded-at'
const PAUSE_MS = 30_000

/** Whether the page may load itself again; not twice in a row, so that a part that stays away ends in a sentence. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'> | null, now: number): boolean {
  if (!storage) return false
  const last = Number(storage.getItem(RELOADED_AT))
  if (Math.abs(now - last) < PAUSE_MS) return false
  storage.setItem(RELOADED_AT, String(now))
  return true
}

/** In the place of a screen that broke. The navigation around it stays usable. */
function ScreenError() {
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

/** Screens for signed-in users. */
function RequireUser() {
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
function VisitorsOnly() {
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
function AnyVisitor() {
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

/** A screen is fetched when it is first visited, if not before, and its failure stays inside the layout. */
function screen(path: keyof typeof SCREEN_CODE): RouteObject {
  const Component = lazy(async () => ({ default: await SCREEN_CODE[path]().catch(loadAgain) }))
  return { path, Component, ErrorBoundary: ScreenError }
}

/** A network that has just come back may fail once more: the page is loaded again by itself, once. */
function loadAgain(error: unknown): Promise<never> {
  const mayRetry = isLoadFailure(error) && navigator.onLine && mayReload(browserStorage(), Date.now())
  if (!mayRetry) throw error
  window.location.reload()
  return new Promise(() => {})
}

export const routes: RouteObject[] = [
  {
    Component: Layout,
    children: [
      {
        ErrorBoundary: ScreenError,
        children: [
          {
            Component: VisitorsOnly,
            children: [
              { path: '/login' satisfies ScreenPath, Component: SignInScreen, ErrorBoundary: ScreenError },
              screen('/register'),
            ],
          },
          {
            Component: AnyVisitor,
            children: [screen(VERIFY_EMAIL_PATH), screen('/shared/:token'), screen('/records/:token')],
          },
          {
            Component: RequireUser,
            children: [
              screen('/'),
              screen('/strategies'),
              screen('/strategies/:id/record'),
              screen('/backtest'),
              screen('/optimizer'),
              screen('/live-trading'),
              screen('/live-trading/:id'),
              screen('/data-collector'),
              screen('/ai-assistant'),
              screen('/portfolio-performance'),
              screen('/portfolio-performance/statement'),
              screen('/inbox'),
              screen('/proposals'),
              screen('/settings'),
              screen('/admin'),
            ],
          },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
]

export const createRouter = () => createBrowserRouter(routes)
