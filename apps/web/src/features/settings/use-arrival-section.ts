import { useEffect } from 'react'

/** A link from another screen may name a section, which is not there yet when the browser looks for it. */
export function useArrivalSection(): void {
  useEffect(() => {
    const id = window.location.hash.slice(1)
    if (id) document.getElementById(id)?.scrollIntoView()
  }, [])
}
