import { type KeyboardEvent, type ReactNode, useId, useRef, useCallback } from 'react'
import { useSearchParams } from 'react-router'
import classes from './tabs.module.css'
import { useAfterFirstPaint, useFocusAfter } from './two-columns.tsx'

export interface Tab<Name extends string> {
  name: Name
  label: string
  /** How many things are behind it. */
  count?: number | undefined
  content: ReactNode
}

interface TabsProps<Name extends string> {
  label: string
  tabs: readonly Tab<Name>[]
  current: Name
  onChange: (name: Name) => void
  /** A panel's tabs share its width; a page's stand at the left, above the content. */
  variant?: 'panel' | 'page'
}

/** Arrow keys move between tabs. Every panel stays mounted, so that what was typed or opened in it stays too. */
export function Tabs<Name extends string>({ label, tabs, current, onChange, variant = 'panel' }: TabsProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const shown = useRef<HTMLDivElement>(null)
  const isPainted = useAfterFirstPaint()
  useFocusAfter(current, shown)

  const move = (event: KeyboardEvent, position: number) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && tabs[(position + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.name)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus()
  }

  return (
    <>
      <div className={classes.list} data-variant={variant} role="tablist" aria-label={label} ref={list}>
        {tabs.map(({ name, label: text, count }, position) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-tab={name}
            aria-selected={name === current}
            aria-controls={`${id}-${name}-panel`}
            tabIndex={name === current ? 0 : -1}
            className={classes.tab}
            onClick={() => onChange(name)}
            onKeyDown={(event) => move(event, position)}
          >
            {text}
            {count !== undefined && <span className={`${classes.count} tabular`}>{count}</span>}
          </button>
        ))}
      </div>
      {tabs.map(({ name, content }) => (
        <div
          key={name}
          ref={name === current ? shown : undefined}
          role="tabpanel"
          tabIndex={-1}
          id={`${id}-${name}-panel`}
          aria-labelledby={`${id}-${name}`}
          hidden={name !== current}
          className={classes.panel}
        >
          {(isPainted || name === current) && content}
        </div>
      ))}
    </>
  )
}

/**
 * The tab on show lives in the address as `?tab=`, so that a reload or a link leads to it; the first one needs no word. Each
 * is a step of its own for Back, but for one that the page itself puts in the place of another.
 */
export function useTabInAddress<Name extends string>(names: readonly [Name, ...Name[]]) {
  const [query, setQuery] = useSearchParams()
  const [first] = names
  const asked = query.get('tab')
  const tab = names.find((name) => name === asked) ?? first
  const setTab = useCallback(
    (next: Name, { replace = false } = {}) => {
      // As it is now: other parts of the page write to the address, too.
      const changed = new URLSearchParams(window.location.search)
      if ((changed.get('tab') ?? first) === next) return
      if (next === first) changed.delete('tab')
      else changed.set('tab', next)
      setQuery(changed, { replace, preventScrollReset: true })
    },
    [setQuery, first],
  )
  return [tab, setTab] as const
}
