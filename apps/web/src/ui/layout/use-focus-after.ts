import { type RefObject, useEffect, useRef } from 'react'

/** What had the focus is gone, hidden or disabled: the keyboard would begin again at the top of the page. */
function isFocusLost(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || focused.matches(':disabled, [hidden] *')
}

/**
 * When `state` changes and the focus is lost by it, as a button that is pressed becomes disabled, the focus goes to the
 * element, without scrolling. Not at first.
 */
export function useFocusAfter(state: unknown, element: RefObject<HTMLElement | null>): void {
  const known = useRef(state)
  useEffect(() => {
    if (known.current === state) return
    known.current = state
    if (isFocusLost()) element.current?.focus({ preventScroll: true })
  }, [state, element])
}
