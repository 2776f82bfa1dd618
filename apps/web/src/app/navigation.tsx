import { Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import {
  IconMenu2,
  IconX,
  IconBell,
  IconMoon,
  IconRobot,
  IconSun,
  IconSearch,
  IconChevronRight,
  IconLogout,
} from '@tabler/icons-react'
import { type RefObject, useRef, useEffect, useState } from 'react'
import { NavLink, useLocation, Link } from 'react-router'
import { HelpButton } from './help-button.tsx'
import classes from './navigation.module.css'
import { fetchScreenCode, NAVIGATION, SIGNED_OUT_NAVIGATION } from './screens.ts'
import { useSession, useLogOut, useRegistration } from './session.ts'
import { asksForYou, useInbox } from '../features/inbox/queries.ts'
import { useProposals } from '../features/proposals/queries.ts'
import { PALETTES } from '../ui/theme/tokens.ts'
import { openOverlay } from './commands/shortcuts.ts'
import searchButtonClasses from './commands/search-button.module.css'
import brandClasses from './brand.module.css'
import navigationMenuClasses from './navigation-menu.module.css'

const WIDE = '(min-width: 1248px)'

/** The links of narrow screens, over the full height. The page behind is inert while it is open. */
function NavigationMenu({ onClose }: { onClose: (returnFocus: boolean) => void }) {
  const menu = useRef<HTMLUListElement>(null)
  const logOut = useLogOut()

  useEffect(() => {
    menu.current?.querySelector<HTMLElement>('a')?.focus()
    document.documentElement.style.overflowY = 'hidden'
    return () => {
      document.documentElement.style.overflowY = ''
    }
  }, [])

  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && onClose(true)
    const closeWhenWide = (event: MediaQueryListEvent) => event.matches && onClose(false)
    const wide = window.matchMedia(WIDE)
    document.addEventListener('keydown', closeOnEscape)
    wide.addEventListener('change', closeWhenWide)
    return () => {
      document.removeEventListener('keydown', closeOnEscape)
      wide.removeEventListener('change', closeWhenWide)
    }
  }, [onClose])

  return (
    <ul ref={menu} id="navigation-menu" className={navigationMenuClasses.menu}>
      {NAVIGATION.map(({ path, label }) => (
        <li key={path}>
          <NavLink
            to={path}
            end={path === '/'}
            className={navigationMenuClasses.row ?? ''}
            onClick={() => onClose(false)}
          >
            {label}
            <IconChevronRight className={navigationMenuClasses.glyph} size={18} stroke={1.6} aria-hidden />
          </NavLink>
        </li>
      ))}
      <li>
        <button type="button" className={navigationMenuClasses.row} onClick={logOut}>
          Logout
          <IconLogout className={navigationMenuClasses.glyph} size={18} stroke={1.6} aria-hidden />
        </button>
      </li>
    </ul>
  )
}

interface MenuState {
  isMenuOpen: boolean
  setMenuOpen: (isOpen: boolean) => void
}

export function Navigation({ isMenuOpen, setMenuOpen }: MenuState) {
  const { session } = useSession()
  const isScrolled = useScrolled()
  const menuButton = useRef<HTMLButtonElement>(null)
  const isSignedIn = session.state === 'signed in'

  return (
    <header className={classes.header} data-scrolled={isScrolled} data-menu-open={isMenuOpen}>
      <nav className={classes.bar} aria-label="Main">
        <Brand isLink={isSignedIn} />
        {isSignedIn && <Links links={NAVIGATION} className={classes.wideOnly} onNear={fetchScreenCode} />}
        <div className={classes.end}>
          {session.state === 'signed out' && <VisitorLinks />}
          <HelpButton />
          {isSignedIn && <SearchButton />}
          {isSignedIn && <InboxButton />}
          {isSignedIn && <ProposalsButton />}
          <ThemeSwitch />
          {isSignedIn && <LogoutButton />}
          {isSignedIn && <MenuButton ref={menuButton} isMenuOpen={isMenuOpen} setMenuOpen={setMenuOpen} />}
        </div>
        {isSignedIn && isMenuOpen && (
          <NavigationMenu
            onClose={(returnFocus) => {
              setMenuOpen(false)
              if (returnFocus) menuButton.current?.focus()
            }}
          />
        )}
      </nav>
    </header>
  )
}

/** Register is offered where a visitor may; an invitation comes with its own link. */
function VisitorLinks() {
  const registration = useRegistration()?.registration
  const { state } = useLocation()
  const links = SIGNED_OUT_NAVIGATION.filter(({ path }) => path !== '/register' || registration === 'open')
  return <Links links={links} className={classes.visitor} state={state} />
}

interface LinksProps<Path extends string> {
  links: readonly { path: Path; label: string }[]
  className: string | undefined
  /** State of the history entry: where a visitor wanted to go. */
  state?: unknown
  /** The pointer or the focus is on a link, which is followed next as a rule. */
  onNear?: (path: Path) => void
}

function Links<Path extends string>({ links, className, state, onNear }: LinksProps<Path>) {
  return (
    <ul className={`${classes.links} ${className}`}>
      {links.map(({ path, label }) => (
        <li key={path}>
          <NavLink
            to={path}
            state={state}
            end={path === '/'}
            className={classes.link ?? ''}
            data-label={label}
            onPointerEnter={() => onNear?.(path)}
            onFocus={() => onNear?.(path)}
          >
            {label}
          </NavLink>
        </li>
      ))}
    </ul>
  )
}

function LogoutButton() {
  const logOut = useLogOut()
  return (
    <Button variant="default" className={classes.wideOnly ?? ''} onClick={logOut}>
      Logout
    </Button>
  )
}

function MenuButton({ ref, isMenuOpen, setMenuOpen }: MenuState & { ref: RefObject<HTMLButtonElement | null> }) {
  const Glyph = isMenuOpen ? IconX : IconMenu2
  return (
    <button
      ref={ref}
      type="button"
      className={`${classes.iconButton} ${classes.narrowOnly}`}
      aria-label={isMenuOpen ? 'Close menu' : 'Open menu'}
      aria-expanded={isMenuOpen}
      aria-controls="navigation-menu"
      onClick={() => setMenuOpen(!isMenuOpen)}
    >
      <Glyph size={22} stroke={1.8} aria-hidden />
    </button>
  )
}

const THRESHOLD_PX = 50

/** Whether the page is scrolled far enough for the navigation bar to stand apart from it. */
function useScrolled(): boolean {
  // Read on scrolling only: while a new screen is being rendered, `scrollY` would make the browser lay it out at once.
  const [isScrolled, setScrolled] = useState(() => window.scrollY > THRESHOLD_PX)
  useEffect(() => {
    const read = () => setScrolled(window.scrollY > THRESHOLD_PX)
    window.addEventListener('scroll', read, { passive: true })
    return () => window.removeEventListener('scroll', read)
  }, [])
  return isScrolled
}

/** The number of alerts that were not acknowledged. */
function InboxButton() {
  const count = useInbox().data?.filter(asksForYou).length ?? 0
  const words = count === 0 ? 'Inbox' : `Inbox: ${count} ${count === 1 ? 'alert' : 'alerts'} not acknowledged`
  return (
    <Link
      to="/inbox"
      className={`${classes.iconButton} ${classes.bell}`}
      data-count={count}
      aria-label={words}
      title={words}
    >
      <IconBell size={18} stroke={1.7} aria-hidden />
      {count > 0 && <span className={`${classes.badge} tabular`}>{count}</span>}
    </Link>
  )
}

/** How many proposals wait for an answer. Narrow screens have room for it where some do. */
function ProposalsButton() {
  const count = useProposals().data?.open.length ?? 0
  const words = count === 0 ? 'Proposals' : `Proposals: ${count} waiting for an answer`
  return (
    <Link
      to="/proposals"
      className={`${classes.iconButton} ${classes.bell}`}
      data-count={count}
      aria-label={words}
      title={words}
    >
      <IconRobot size={18} stroke={1.7} aria-hidden />
      {count > 0 && <span className={`${classes.badge} tabular`}>{count}</span>}
    </Link>
  )
}

/** Follows the system until the user chooses; the choice is kept in this browser. */
function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const theme = useComputedColorScheme('light')
  const other = theme === 'light' ? 'dark' : 'light'
  const Glyph = theme === 'light' ? IconSun : IconMoon

  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PALETTES[theme].bg)
  }, [theme])

  return (
    <button
      type="button"
      className={classes.iconButton}
      aria-label={`Switch to ${other} theme`}
      title={`Switch to ${other} theme`}
      onClick={() => setColorScheme(other)}
    >
      <Glyph size={17} stroke={1.7} aria-hidden />
    </button>
  )
}

/** Opens the command palette; a field's look where there is room, else an icon. */
function SearchButton() {
  const isMac = /mac|iphone|ipad/i.test(navigator.platform)
  return (
    <button
      type="button"
      className={searchButtonClasses.button}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title="Search and commands"
      onClick={() => openOverlay('palette')}
    >
      <IconSearch size={17} stroke={1.7} aria-hidden />
      <span className={searchButtonClasses.words}>
        Search <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </span>
    </button>
  )
}

/** Leads home where there is a home to go to; a visitor's navigation has the links to sign in and register only. */
function Brand({ isLink }: { isLink: boolean }) {
  const content = (
    <>
      <svg
        className={brandClasses.mark}
        viewBox="0 0 24 24"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
      >
        <rect width="24" height="24" rx="6" fill="var(--tw-accent-fill)" />
        <path d="M5.5 15.2 9.6 10.6l3 2.8 5.6-6.2" stroke="#fff" strokeWidth="2" />
        <path d="M5.5 18.6h13" stroke="#fff" strokeOpacity=".55" strokeWidth="1.4" />
      </svg>
      Tradewright
    </>
  )
  if (!isLink) return <span className={brandClasses.brand}>{content}</span>
  return (
    <Link to="/" className={brandClasses.brand}>
      {content}
    </Link>
  )
}
