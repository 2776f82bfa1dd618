import type { ReactNode } from 'react'
import classes from './tag.module.css'

/** `accent` for the kind that is picked out, `danger` for real money, `plain` otherwise. */
type TagTone = 'plain' | 'accent' | 'danger'

export function Tag({ tone = 'plain', children }: { tone?: TagTone; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  )
}
