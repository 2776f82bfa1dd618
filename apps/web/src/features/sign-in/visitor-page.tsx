import type { ReactNode } from 'react'
import { DocumentTitle } from '../../ui/layout/page.tsx'
import { SampleResultCard } from './sample-result-card.tsx'
import classes from './visitor-page.module.css'

interface VisitorPageProps {
  documentTitle: string
  title: string
  subtitle: string
  children: ReactNode
}

/** The form at the left; at the right, where there is room, an example of a result. */
export function VisitorPage({ documentTitle, title, subtitle, children }: VisitorPageProps) {
  return (
    <div className={classes.page}>
      <DocumentTitle text={documentTitle} />
      <div className={classes.formSide}>
        <div className={classes.column}>
          <h1 className={classes.title}>{title}</h1>
          <p className={classes.subtitle}>{subtitle}</p>
          {children}
        </div>
      </div>
      <aside className={classes.sampleSide} aria-label="A sample result">
        <SampleResultCard />
        <p className={classes.promise}>Every result says where its data came from and what it cannot prove.</p>
      </aside>
    </div>
  )
}
