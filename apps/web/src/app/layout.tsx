import { useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { Banner } from '../ui/feedback/banner.tsx'
import { Toasts } from '../ui/feedback/toasts.tsx'
import classes from './layout.module.css'
import { LeaveQuestion } from './leave-question.tsx'
import { Help } from './help-button.tsx'
import { LeftOutBanner } from './left-out-banner.tsx'
import { Navigation } from './navigation.tsx'
import { useSession } from './session-context.ts'
import { useOnline } from './use-online.ts'

/** The frame of every screen: skip link, navigation, main landmark, toasts. */
export function Layout() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  useFocusOnNewPage(main)

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
        <Outlet />
      </main>
      <Help />
      <Toasts />
      <LeaveQuestion />
      <ScrollRestoration />
    </>
  )
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
