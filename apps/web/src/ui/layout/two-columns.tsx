import type { CSSProperties, ReactNode } from 'react'
import { ChoiceField } from '../form/fields.tsx'
import classes from './two-columns.module.css'
import { useAfterFirstPaint } from './use-after-first-paint.ts'

export type Pane = 'Setup' | 'Results'

interface TwoColumnsProps {
  /** Which of the two is in sight where there is room for one only. */
  pane: Pane
  onPane: (pane: Pane) => void
  /** Above the results: heading, what was saved, the page's message. */
  top: ReactNode
  setup: ReactNode
  results: ReactNode
  isBusy: boolean
  /** Where the settings have columns of their own; else 364 px. */
  setupWidth?: number | undefined
}

/** Settings in a narrow column that stays in sight, results beside it; a narrow screen shows one of them. */
export function TwoColumns({ pane, onPane, top, setup, results, isBusy, setupWidth }: TwoColumnsProps) {
  const isPainted = useAfterFirstPaint()
  const width = setupWidth === undefined ? {} : { style: { '--setup-width': `${setupWidth}px` } as CSSProperties }
  return (
    <div className={classes.columns} data-pane={pane} {...width}>
      <div className={classes.top}>
        {top}
        <div className={classes.switch}>
          <ChoiceField label="Show" hideLabel value={pane} options={['Setup', 'Results']} onChange={onPane} />
        </div>
      </div>
      <div className={classes.setup}>{isPainted && setup}</div>
      <section className={classes.results} aria-label="Results" aria-busy={isBusy}>
        {results}
      </section>
    </div>
  )
}

/** The page's message, in the `top` of the columns. */
export function TopMessage({ children }: { children: ReactNode }) {
  return <div className={classes.message}>{children}</div>
}
