import { useEffect, useState } from 'react'

const THRESHOLD_PX = 50

/** Whether the page is scrolled far enough for the navigation bar to stand apart from it. */
export function useScrolled(): boolean {
  // Read on scrolling only: while a new screen is being rendered, `scrollY` would make the browser lay it out at once.
  const [isScrolled, setScrolled] = useState(() => window.scrollY > THRESHOLD_PX)
  useEffect(() => {
    const read = () => setScrolled(window.scrollY > THRESHOLD_PX)
    window.addEventListener('scroll', read, { passive: true })
    return () => window.removeEventListener('scroll', read)
  }, [])
  return isScrolled
}
