import { type CSSProperties, type ReactNode, useRef, type RefObject, useEffect, useDeferredValue } from 'react'
import { ChoiceField } from '../form/fields.tsx'
import classes from './two-columns.module.css'

/** `Work` is there where the screen has settings that need the wide column. */
export type Pane = 'Setup' | 'Work' | 'Results'

interface TwoColumnsProps {
  /** The pane in sight where there is room for one only. */
  pane: Pane
  onPane: (pane: Pane) => void
  /** Above the results: heading, what was saved, the page's message. */
  top: ReactNode
  setup: ReactNode
  /** Settings that need the wide column. They take turns there with the results; a narrow screen has a pane of its own for them. */
  work?: { readonly name: string; readonly content: ReactNode }
  results: ReactNode
  isBusy: boolean
  /** Where the settings have columns of their own; else 364 px. */
  setupWidth?: number | undefined
}

/** Settings in a narrow column that stays in sight, results beside it; a narrow screen shows one of them. */
export function TwoColumns({ pane, onPane, top, setup, work, results, isBusy, setupWidth }: TwoColumnsProps) {
  const isPainted = useAfterFirstPaint()
  const resultsSection = useRef<HTMLElement>(null)
  useFocusAfter(`${isBusy} ${pane}`, resultsSection)
  const width = setupWidth === undefined ? {} : { style: { '--setup-width': `${setupWidth}px` } as CSSProperties }
  return (
    <div
      className={classes.columns}
      data-pane={work || pane === 'Results' ? pane : 'Setup'}
      data-work={work !== undefined}
      {...width}
    >
      <div className={classes.top}>
        {top}
        <div className={classes.switch}>
          <ChoiceField
            label="Show"
            hideLabel
            value={pane === 'Work' ? (work?.name ?? 'Setup') : pane}
            options={['Setup', ...(work ? [work.name] : []), 'Results']}
            onChange={(shown) => onPane(shown === 'Setup' || shown === 'Results' ? shown : 'Work')}
          />
        </div>
        {work && (
          <div className={classes.workSwitch}>
            <ChoiceField
              label={`Show ${work.name.toLowerCase()} or results`}
              hideLabel
              value={pane === 'Results' ? 'Results' : work.name}
              options={[work.name, 'Results']}
              onChange={(shown) => onPane(shown === 'Results' ? 'Results' : 'Work')}
            />
          </div>
        )}
      </div>
      <div className={classes.setup}>{isPainted && setup}</div>
      {work && (
        // Its card is the region of this name.
        <div className={classes.work}>{isPainted && work.content}</div>
      )}
      <section ref={resultsSection} tabIndex={-1} className={classes.results} aria-label="Results" aria-busy={isBusy}>
        {results}
      </section>
    </div>
  )
}

/** The page's message, in the `top` of the columns. */
export function TopMessage({ children }: { children: ReactNode }) {
  return <div className={classes.message}>{children}</div>
}

/** What had the focus is gone, hidden or disabled: the keyboard would begin again at the top of the page. */
function isFocusLost(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || focused.matches(':disabled, [hidden] *')
}

/**
 * When `state` changes and the focus is lost by it, as a button that is pressed becomes disabled, the focus goes to the
 * element, without scrolling. Not at first.
 */
export function useFocusAfter(state: unknown, element: RefObject<HTMLElement | null>): void {
  const known = useRef(state)
  useEffect(() => {
    if (known.current === state) return
    known.current = state
    if (isFocusLost()) element.current?.focus({ preventScroll: true })
  }, [state, element])
}

/**
 * False in the first rendering, true in one that follows it and can be interrupted: what waits for it does not hold up
 * the heading of a screen that was just opened.
 */
export const useAfterFirstPaint = () => useDeferredValue(true, false)
