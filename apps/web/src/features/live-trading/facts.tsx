import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** Label-over-value pairs in a grid; `wide` where values are instants. */
export function Facts({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <dl className={classes.facts} data-wide={wide}>
      {children}
    </dl>
  )
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  )
}
