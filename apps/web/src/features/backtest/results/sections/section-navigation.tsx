import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { formatCount } from '../../../../lib/format.ts'
import { askedSection, queryTo, RESULT_SECTIONS, type ResultSectionName, sectionId } from './result-sections.ts'
import classes from './sections.module.css'

/** Sticks under the navigation bar. All sections are one page, so that printing and finding work; a link jumps. */
export function SectionNavigation({ tradeCount }: { tradeCount: number }) {
  const [query] = useSearchParams()
  const [current, setCurrent] = useSectionInSight()
  useArrival(askedSection(query))
  return (
    <nav className={classes.navigation} aria-label="Sections of the result">
      {RESULT_SECTIONS.map(({ name, label }) => (
        <Link
          key={name}
          to={{ search: queryTo(query, name).toString() }}
          replace
          preventScrollReset
          aria-current={name === current ? 'location' : undefined}
          onClick={() => {
            setCurrent(name)
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
function useArrival(asked: ResultSectionName | undefined): void {
  useEffect(() => {
    if (asked && asked !== 'overview') jumpTo(asked)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}

/** Just under the row of sections: the section that this line runs through is the one being read. */
const READING_LINE = '-120px 0px -70% 0px'

function useSectionInSight() {
  const [current, setCurrent] = useState<ResultSectionName>('overview')
  useEffect(() => {
    const inSight = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inSight.add(target.id)
          else inSight.delete(target.id)
        }
        const first = RESULT_SECTIONS.find(({ name }) => inSight.has(sectionId(name)))
        if (first) setCurrent(first.name)
      },
      { rootMargin: READING_LINE },
    )
    for (const { name } of RESULT_SECTIONS) {
      const section = document.getElementById(sectionId(name))
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [])
  return [current, setCurrent] as const
}
