import { IconHelp } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { helpStore, openHelp, pageOfScreen } from '../help/help-link.tsx'
import classes from './navigation.module.css'

// Guide, Markdown and panel are fetched when help is first asked for.
const HelpPanel = lazy(async () => ({ default: (await import('../help/help-panel.tsx')).HelpPanel }))

/** Opens the guide at the page of the current screen, as the `?` key does. */
export function HelpButton() {
  const page = pageOfScreen(useLocation().pathname)
  useHelpKey(page)
  return (
    <button
      type="button"
      className={classes.iconButton}
      aria-label="Help"
      title="Help (?)"
      aria-keyshortcuts="?"
      onClick={() => openHelp(page)}
    >
      <IconHelp size={18} stroke={1.7} aria-hidden />
    </button>
  )
}

/** Outside of the bar, which may be inert or blurred. */
export function Help() {
  const place = useSyncExternalStore(helpStore.subscribe, helpStore.snapshot)
  if (!place) return null
  return (
    <Suspense fallback={null}>
      <HelpPanel place={place} />
    </Suspense>
  )
}

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="dialog"]'

function useHelpKey(page: string): void {
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const from = event.target instanceof Element ? event.target : document.body
      if (from.closest(TYPING) || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      openHelp(page)
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [page])
}
