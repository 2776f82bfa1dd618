import type { ReactNode } from 'react'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'
import classes from '../portfolio-performance-screen.module.css'
import { ACTIVITIES_PER_PAGE } from '../queries.ts'

interface ActivitiesPagesProps {
  title: string
  hint: string
  /** Said where there is none at all. */
  nothing: string
  total: number
  page: number
  onPage: (page: number) => void
  error: Error | null
  isStale: boolean
  children: ReactNode
}

/** A card with a table of which one page is in sight. */
export function ActivitiesPages({ title, hint, nothing, total, page, onPage, ...rest }: ActivitiesPagesProps) {
  return (
    <Card title={title} hint={hint}>
      {total === 0 ? (
        <p className={classes.nothing}>{nothing}</p>
      ) : rest.error ? (
        <p className={classes.nothing} role="alert">
          {serverMessageOr(rest.error, 'This page could not be loaded.')}
        </p>
      ) : (
        <div className={classes.stale} data-stale={rest.isStale}>
          {rest.children}
        </div>
      )}
      <Pagination
        page={page}
        pageSize={ACTIVITIES_PER_PAGE}
        total={total}
        onChange={onPage}
        label={`Pages of ${title.toLowerCase()}`}
      />
    </Card>
  )
}
