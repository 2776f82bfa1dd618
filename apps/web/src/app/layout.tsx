import {
  type ComponentType,
  Fragment,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigate, useBlocker } from 'react-router'
import { Banner } from '../ui/feedback/banner.tsx'
import { Toasts } from '../ui/feedback/toasts/toasts.tsx'
import type { OpenScreen } from './commands/shortcuts.ts'
import { FactorDialog } from './factor-question.tsx'
import classes from './layout.module.css'
import { Help } from './help-button.tsx'
import { Navigation } from './navigation.tsx'
import { fetchScreensWhenIdle } from './screens.ts'
import { useSession } from './session.ts'
import { dropLeftOut, leftOutEntries, leftOutSentence } from '../lib/readable-part.ts'
import { forgetUnsavedWork, hasUnsavedWork, watchForms } from '../ui/form/unsaved-work.ts'

/** Fetched when it is first needed: a visitor's first page goes without it. */
const ConfirmModal = lazy(async () => ({
  default: (await import('../ui/layout/confirm-modal.tsx')).ConfirmModal,
}))

/** Asks before another screen is opened while a form holds something that is not saved. */
function LeaveQuestion() {
  useEffect(watchForms, [])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasUnsavedWork(),
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Suspense fallback={null}>
      <ConfirmModal
        opened
        title="Leave without saving?"
        text="What you typed on this page is not saved and will be lost."
        confirmLabel="Leave"
        cancelLabel="Stay"
        onCancel={() => blocker.reset()}
        onConfirm={() => {
          forgetUnsavedWork()
          blocker.proceed()
        }}
      />
    </Suspense>
  )
}

// After the first page, which does not wait for it; where it cannot be fetched, the screens stand without it.
const Commands = lazy<ComponentType<{ open: OpenScreen }>>(() =>
  import('./commands/commands.tsx').then(
    (file) => ({ default: file.Commands }),
    () => ({ default: () => null }),
  ),
)

/** The frame of every screen: skip link, navigation, main landmark, toasts. */
export function Layout() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { session } = useSession()
  const [openedAt, open] = useOpenScreen()
  const main = useRef<HTMLElement>(null)
  useFocusOnNewPage(main)
  const isSignedIn = session.state === 'signed in'
  useEffect(() => (isSignedIn ? fetchScreensWhenIdle() : undefined), [isSignedIn])

  return (
    <>
      <a
        href="#main"
        className={classes.skip}
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to content
      </a>
      <Navigation isMenuOpen={isMenuOpen} setMenuOpen={setMenuOpen} />
      <main id="main" ref={main} tabIndex={-1} className={classes.main} inert={isMenuOpen}>
        <OfflineBanner />
        <LeftOutBanner />
        <Fragment key={openedAt}>
          <Outlet />
        </Fragment>
      </main>
      <Help />
      <Toasts />
      <LeaveQuestion />
      {isSignedIn && <FactorDialog />}
      {isSignedIn && (
        <Suspense fallback={null}>
          <Commands open={open} />
        </Suspense>
      )}
      <ScrollRestoration />
    </>
  )
}

/**
 * Opens an address from the palette or by a key. A screen reads what it is asked for when it opens: where it is on show
 * already, `isAnew` opens it again, with its form as it was at first.
 */
function useOpenScreen() {
  const navigate = useNavigate()
  const { pathname, key } = useLocation()
  const [openedAt, setOpenedAt] = useState(key)
  const opensAgain = useRef(false)
  const open = useCallback(
    (address: string, { isAnew = false } = {}) => {
      const [path = ''] = address.split(/[?#]/, 1)
      if (address === pathname && !isAnew) return
      opensAgain.current = isAnew && path === pathname
      void navigate(address)
    },
    [navigate, pathname],
  )
  useEffect(() => {
    if (!opensAgain.current) return
    opensAgain.current = false
    setOpenedAt(key)
  }, [key])
  return [openedAt, open] as const
}

/** Without this the focus would stay on the link that was followed, and a screen reader would not notice the page. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>) {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // A screen that has put the focus into a field of its own knows better.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [pathname, main])
}

function OfflineBanner() {
  const isOnline = useOnline()
  const { session } = useSession()
  if (isOnline || session.state === 'offline') return null
  return (
    <div className={classes.notice}>
      <Banner
        kind="warning"
        text="You are offline"
        detail="What is on the screen stays available; anything new needs a connection."
      />
    </div>
  )
}

/** Entries that are missing on the screen are told as long as they are missing: sums over a list would be wrong unseen. */
function LeftOutBanner() {
  const byCall = useSyncExternalStore(leftOutEntries.subscribe, leftOutEntries.snapshot)
  if (byCall.size === 0) return null
  const sentences = new Set([...byCall.values()].flat().map(leftOutSentence))
  return (
    <div className={classes.notice}>
      <Banner
        kind="warning"
        text={[...sentences].join(' ')}
        detail="Sums and counts do not include them. Reload the page. If they stay missing, the server’s log says why."
        onClose={dropLeftOut}
      />
    </div>
  )
}

function useOnline(): boolean {
  return useSyncExternalStore(subscribeToOnline, () => navigator.onLine)
}

function subscribeToOnline(onChange: () => void) {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
