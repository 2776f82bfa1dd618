import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import classes from './panel.module.css'

interface PanelProps<Data> {
  title: string
  hint?: ReactNode
  link?: { to: string; text: string }
  query: UseQueryResult<Data>
  /** Rows of the skeleton. */
  rows?: number
  children: (data: Data) => ReactNode
}

/** Loads and fails on its own: the other panels stand. Figures that were there stay when asking again fails. */
export function Panel<Data>({ title, hint, link, query, rows = 3, children }: PanelProps<Data>) {
  if (query.isPending) return <CardSkeleton rows={rows} label={`Loading ${title}...`} />
  return (
    <Card
      title={title}
      hint={hint}
      {...(link
        ? {
            actions: (
              <Link className={classes.more} to={link.to}>
                {link.text}
              </Link>
            ),
          }
        : {})}
    >
      {query.data === undefined ? (
        <Failure title={title} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        children(query.data)
      )}
    </Card>
  )
}

interface FailureProps {
  title: string
  error: Error | null
  onRetry: () => void
}

function Failure({ title, error, onRetry }: FailureProps) {
  return (
    <div className={classes.failure} role="alert">
      <p>
        {title} could not be loaded.{error?.message ? ` ${error.message}` : ''}
      </p>
      <Button variant="default" size="xs" onClick={onRetry} aria-label={`Try again: ${title}`}>
        Try again
      </Button>
    </div>
  )
}

/** One sentence in the place of rows. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className={classes.nothing}>{children}</p>
}
