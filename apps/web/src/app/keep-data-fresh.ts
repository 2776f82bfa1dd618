import { focusManager, type QueryClient } from '@tanstack/react-query'
import { onChangeElsewhere } from '../lib/changes.ts'

/** A deletion of several rows is several calls. */
const PAUSE_MS = 200

/** What another tab changed is asked for again; after a change on another device, when the window has the focus again. */
export function keepDataFresh(queries: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  onChangeElsewhere(() => {
    clearTimeout(timer)
    timer = setTimeout(() => void queries.invalidateQueries(), PAUSE_MS)
  })
  // The library by itself looks at the visibility alone: a window beside another one is always visible.
  focusManager.setEventListener((handleFocus) => {
    const listener = () => handleFocus()
    window.addEventListener('visibilitychange', listener)
    window.addEventListener('focus', listener)
    return () => {
      window.removeEventListener('visibilitychange', listener)
      window.removeEventListener('focus', listener)
    }
  })
}
