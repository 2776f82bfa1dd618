import { IconSearch } from '@tabler/icons-react'
import { openOverlay } from './overlay-store.ts'
import classes from './search-button.module.css'

/** Opens the command palette; a field's look where there is room, else an icon. */
export function SearchButton() {
  const isMac = /mac|iphone|ipad/i.test(navigator.platform)
  return (
    <button
      type="button"
      className={classes.button}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title="Search and commands"
      onClick={() => openOverlay('palette')}
    >
      <IconSearch size={17} stroke={1.7} aria-hidden />
      <span className={classes.words}>
        Search <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </span>
    </button>
  )
}
