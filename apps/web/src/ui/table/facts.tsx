import type { ReactNode } from 'react'
import classes from './facts.module.css'
import { How } from '../feedback/explanation.tsx'

/** Label-over-value pairs in a grid. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.pairs}>{children}</dl>
}

interface FactProps {
  label: string
  children: ReactNode
  /** How the value came to be, or why there is none. */
  note?: ReactNode
  /** The whole computation, behind a button beside the label. */
  how?: string
  /** A long value gets a row of its own. */
  isWide?: boolean
}

export function Fact({ label, children, note, how, isWide = false }: FactProps) {
  return (
    <div data-wide={isWide}>
      <dt>
        <span>{label}</span>
        {how && <How of={label} text={how} />}
      </dt>
      <dd className="tabular">
        {children}
        {note && <small>{note}</small>}
      </dd>
    </div>
  )
}
