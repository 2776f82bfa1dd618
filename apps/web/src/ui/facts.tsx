import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** Label-over-value pairs in a grid. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.pairs}>{children}</dl>
}

interface FactProps {
  label: string
  children: ReactNode
  /** How the value came to be, or why there is none. */
  note?: ReactNode
}

export function Fact({ label, children, note }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="tabular">
        {children}
        {note && <small>{note}</small>}
      </dd>
    </div>
  )
}
