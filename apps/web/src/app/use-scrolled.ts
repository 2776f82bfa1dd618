import { useSyncExternalStore } from 'react'

const THRESHOLD_PX = 50

/** Whether the page is scrolled far enough for the navigation bar to stand apart from it. */
export function useScrolled(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > THRESHOLD_PX)
}

function subscribe(onChange: () => void) {
  window.addEventListener('scroll', onChange, { passive: true })
  return () => window.removeEventListener('scroll', onChange)
}
