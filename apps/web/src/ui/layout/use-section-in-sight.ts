import { useEffect, useState } from 'react'

/** Just under what stays in sight at the top: the section that this line runs through is the one being read. */
const READING_LINE = '-120px 0px -70% 0px'

/** Which of the page's elements with these ids, in their order, is being read. The list must not change. */
export function useSectionInSight<Id extends string>(ids: readonly Id[], first: Id | null = null) {
  const [current, setCurrent] = useState(first)
  useEffect(() => {
    const inSight = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inSight.add(target.id)
          else inSight.delete(target.id)
        }
        const read = ids.find((id) => inSight.has(id))
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
  return [current, setCurrent] as const
}
