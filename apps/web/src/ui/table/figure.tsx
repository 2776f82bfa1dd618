import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './figure.module.css'
import { How, Term } from '../feedback/explanation.tsx'
import factsClasses from './facts.module.css'

type Direction = 'gain' | 'loss' | 'none'

function directionOf(value: number | null | undefined, zeroIsGain: boolean): Direction {
  if (value === null || value === undefined || !Number.isFinite(value)) return 'none'
  if (value === 0) return zeroIsGain ? 'gain' : 'none'
  return value < 0 ? 'loss' : 'gain'
}

/** `0.00%` and `$0.00`, but not `n/a`. */
function readsAsZero(text: string): boolean {
  return /0/.test(text) && !/[1-9]/.test(text)
}

interface DeltaProps {
  /** Decides colour and arrow; the text carries the sign. */
  value: number | null | undefined
  children: ReactNode
  withArrow?: boolean
  /** Where the specification counts zero as a gain: its colour only, since nothing went up. */
  zeroIsGain?: boolean
}

/** A number coloured by its sign, never by colour alone: the text has the sign, and the arrow repeats it. */
export function Delta({ value, children, withArrow = false, zeroIsGain = false }: DeltaProps) {
  // A loss of cents reads 0.00% of a large account: no colour and no arrow contradict what is read.
  const shown = value && typeof children === 'string' && readsAsZero(children) ? null : value
  const direction = directionOf(shown, zeroIsGain)
  const Arrow = (shown ?? 0) < 0 ? IconArrowDownRight : IconArrowUpRight
  return (
    <span className={`${classes.delta} tabular`} data-direction={direction}>
      {withArrow && shown !== 0 && direction !== 'none' && <Arrow size="1em" stroke={2} aria-hidden />}
      {children}
    </span>
  )
}

interface FigureProps {
  label: string
  children: ReactNode
  /** One comparison line. */
  note?: ReactNode
  /** `aside`: a figure that says nothing here, kept for its place. */
  rank?: 'lead' | 'second' | 'aside'
  /** How it is computed, behind a button beside the label. */
  how?: string
  /** Its term in the glossary, for a figure that needs no computation explained. */
  term?: string
}

export function Figure({ label, children, note, rank = 'lead', how, term }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt className={classes.label}>
        <span>{label}</span>
        {how && <How of={label} text={how} />}
        {term && !how && <Term of={label} term={term} />}
      </dt>
      <dd className={`${classes.value} tabular`} data-rank={rank}>
        {children}
      </dd>
      {note && <dd className={classes.note}>{note}</dd>}
    </div>
  )
}

/** One card row of figures, split by hairlines. */
export function MetricsStrip({ children }: { children: ReactNode }) {
  return <dl className={classes.strip}>{children}</dl>
}

/** Label-over-value pairs in a grid. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={factsClasses.pairs}>{children}</dl>
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
