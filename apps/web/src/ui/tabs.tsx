import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import classes from './tabs.module.css'

export interface Tab<Name extends string> {
  name: Name
  label: string
  content: ReactNode
}

interface TabsProps<Name extends string> {
  label: string
  tabs: readonly Tab<Name>[]
  current: Name
  onChange: (name: Name) => void
}

/** Arrow keys move between tabs. Every panel stays mounted, so that what was typed or opened in it stays too. */
export function Tabs<Name extends string>({ label, tabs, current, onChange }: TabsProps<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  const move = (event: KeyboardEvent, position: number) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && tabs[(position + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.name)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus()
  }

  return (
    <>
      <div className={classes.list} role="tablist" aria-label={label} ref={list}>
        {tabs.map(({ name, label: text }, position) => (
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
          </button>
        ))}
      </div>
      {tabs.map(({ name, content }) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}-${name}-panel`}
          aria-labelledby={`${id}-${name}`}
          hidden={name !== current}
          className={classes.panel}
        >
          {content}
        </div>
      ))}
    </>
  )
}
