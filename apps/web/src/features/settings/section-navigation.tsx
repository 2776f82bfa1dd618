import { useSectionInSight } from '../../ui/layout/use-section-in-sight.ts'
import { SECTIONS } from './sections.ts'
import classes from './settings-screen.module.css'

const IDS = SECTIONS.map(({ id }) => id)

/** The list at the left; on narrow screens a row above the cards. The section in sight is marked. */
export function SectionNavigation() {
  const [current] = useSectionInSight(IDS)
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
