import { IconChevronRight, IconLogout } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { NavLink } from 'react-router'
import classes from './navigation-menu.module.css'
import { NAVIGATION } from './screens.ts'
import { useLogOut } from './use-log-out.ts'

const WIDE = '(min-width: 1248px)'

/** The links of narrow screens, over the full height. The page behind is inert while it is open. */
export function NavigationMenu({ onClose }: { onClose: (returnFocus: boolean) => void }) {
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
    <ul ref={menu} id="navigation-menu" className={classes.menu}>
      {NAVIGATION.map(({ path, label }) => (
        <li key={path}>
          <NavLink to={path} end={path === '/'} className={classes.row ?? ''} onClick={() => onClose(false)}>
            {label}
            <IconChevronRight className={classes.glyph} size={18} stroke={1.6} aria-hidden />
          </NavLink>
        </li>
      ))}
      <li>
        <button type="button" className={classes.row} onClick={logOut}>
          Logout
          <IconLogout className={classes.glyph} size={18} stroke={1.6} aria-hidden />
        </button>
      </li>
    </ul>
  )
}
