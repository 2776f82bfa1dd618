import { Button } from '@mantine/core'
import { IconMenu2, IconX } from '@tabler/icons-react'
import { type RefObject, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import { Brand } from './brand.tsx'
import { HelpButton } from './help-button.tsx'
import { SearchButton } from './commands/search-button.tsx'
import { NavigationMenu } from './navigation-menu.tsx'
import { ProposalsButton } from './proposals-button.tsx'
import classes from './navigation.module.css'
import { fetchScreenCode } from './screen-code.ts'
import { NAVIGATION, SIGNED_OUT_NAVIGATION } from './screens.ts'
import { useSession } from './session-context.ts'
import { ThemeSwitch } from './theme-switch.tsx'
import { useLogOut } from './use-log-out.ts'
import { useRegistration } from './use-registration.ts'
import { useScrolled } from './use-scrolled.ts'

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
  /** Of the history entry: where a visitor wanted to go. */
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
