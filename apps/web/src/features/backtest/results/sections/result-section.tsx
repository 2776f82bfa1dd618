import type { ReactNode } from 'react'
import { RESULT_SECTIONS, type ResultSectionName, sectionId } from './result-sections.ts'
import classes from './sections.module.css'

/** A part of the result that the row of sections leads to. The first has the result's own title. */
export function ResultSection({ name, children }: { name: ResultSectionName; children: ReactNode }) {
  const label = RESULT_SECTIONS.find((section) => section.name === name)!.label
  return (
    <div id={sectionId(name)} className={classes.section} tabIndex={-1}>
      {name !== 'overview' && <h2 className={classes.title}>{label}</h2>}
      {children}
    </div>
  )
}
