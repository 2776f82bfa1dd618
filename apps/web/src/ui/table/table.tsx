import type { ReactNode } from 'react'
import classes from './table.module.css'

/** Scrolls sideways inside itself where it must, so that the page never does. `label` names it for screen readers. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    // The keyboard must be able to scroll what does not fit.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.scroll} aria-label={`${label} table`} tabIndex={0}>
      <table className={classes.table} aria-label={label}>
        {children}
      </table>
    </section>
  )
}

/** Words over a column of numbers. */
export const atRight = classes.numeric ?? ''
/** A heading or a cell of numbers or dates stands at the right, in tabular numerals. */
export const numeric = `${classes.numeric} tabular`
/** A column that narrow panels leave out. */
export const secondary = classes.secondary ?? ''
