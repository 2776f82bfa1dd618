import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { formatCount } from '../../../../lib/format.ts'
import { useSectionInSight } from '../../../../ui/layout/use-section-in-sight.ts'
import { askedSection, queryTo, RESULT_SECTIONS, type ResultSectionName, sectionId } from './result-sections.ts'
import classes from './sections.module.css'

const IDS = RESULT_SECTIONS.map(({ name }) => sectionId(name))

/** Sticks under the navigation bar. All sections are one page, so that printing and finding work; a link jumps. */
export function SectionNavigation({ tradeCount }: { tradeCount: number }) {
  const [query] = useSearchParams()
  const [current, setCurrent] = useSectionInSight(IDS, sectionId('overview'))
  useArrival(askedSection(query), setCurrent)
  return (
    <nav className={classes.navigation} aria-label="Sections of the result">
      {RESULT_SECTIONS.map(({ name, label }) => (
        <Link
          key={name}
          to={{ search: queryTo(query, name).toString() }}
          replace
          preventScrollReset
          aria-current={sectionId(name) === current ? 'location' : undefined}
          onClick={() => {
            setCurrent(sectionId(name))
            jumpTo(name)
          }}
        >
          {label}
          {name === 'trades' && <span className={`${classes.count} tabular`}>{formatCount(tradeCount)}</span>}
        </Link>
      ))}
    </nav>
  )
}

/** The next Tab goes on from there. */
function jumpTo(name: ResultSectionName): void {
  const section = document.getElementById(sectionId(name))
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

/** Once, for the address the page was opened with. */
function useArrival(asked: ResultSectionName | undefined, setCurrent: (id: string) => void): void {
  useEffect(() => {
    if (!asked || asked === 'overview') return
    setCurrent(sectionId(asked))
    jumpTo(asked)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}
