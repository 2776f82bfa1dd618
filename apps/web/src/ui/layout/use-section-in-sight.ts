import { useCallback, useEffect, useRef, useState } from 'react'

/** Just under what stays in sight at the top: the section that this line runs through is the one being read. */
const READING_LINE = '-120px 0px -70% 0px'

/** Which of the page's elements with these ids, in their order, is being read. The list must not change. */
export function useSectionInSight<Id extends string>(ids: readonly Id[], first: Id | null = null) {
  const [current, setCurrent] = useState(first)
  /** The section that a visitor chose. A short one at the end of the page cannot be scrolled up to the line. */
  const chosen = useRef<Id | null>(null)
  const choose = useCallback((id: Id) => {
    chosen.current = id
    setCurrent(id)
  }, [])
  useEffect(() => {
    const inSight = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inSight.add(target.id)
          else inSight.delete(target.id)
        }
        const isChosen = chosen.current !== null && isAtEnd() && isVisible(chosen.current)
        const read = isChosen ? chosen.current : ids.find((id) => inSight.has(id))
        if (read) setCurrent(read)
      },
      { rootMargin: READING_LINE },
    )
    for (const id of ids) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [ids])
  return [current, choose] as const
}

const isAtEnd = (): boolean => window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2

function isVisible(id: string): boolean {
  const top = document.getElementById(id)?.getBoundingClientRect().top
  return top !== undefined && top >= 0 && top < window.innerHeight
}
