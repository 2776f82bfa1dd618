import { useEffect, useState } from 'react'
import { type SectionId, SECTIONS } from './sections.ts'
import classes from './settings-screen.module.css'

/** The list at the left; on narrow screens a row above the cards. The section in sight is marked. */
export function SectionNavigation() {
  const current = useSectionInSight()
  return (
    <nav className={classes.sections} aria-label="Settings sections">
      {SECTIONS.map(({ id, title }) => (
        <a key={id} href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}

/** Just under the navigation bar: the section that this line runs through is the one being read. */
const READING_LINE = '-120px 0px -70% 0px'

function useSectionInSight(): SectionId | null {
  const [current, setCurrent] = useState<SectionId | null>(null)
  useEffect(() => {
    const inSight = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inSight.add(target.id)
          else inSight.delete(target.id)
        }
        const first = SECTIONS.find(({ id }) => inSight.has(id))
        if (first) setCurrent(first.id)
      },
      { rootMargin: READING_LINE },
    )
    for (const { id } of SECTIONS) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [])
  return current
}
