import type { ReactNode } from 'react'
import classes from './settings-form.module.css'

interface SettingsFormProps {
  label: string
  /** Scrolls by itself. */
  children: ReactNode
  /** Always in sight: the main button, and in one line what it will do. */
  foot: ReactNode
  summary: string
  onSubmit: () => void
  /** The page's heading and tabs stand above it and take some of its height. */
  isBelowTabs?: boolean
}

/** A column of settings that stays in sight beside its results; on a narrow screen its foot is a fixed bar. */
export function SettingsForm({ label, children, foot, summary, onSubmit, isBelowTabs = false }: SettingsFormProps) {
  return (
    <form
      className={classes.panel}
      data-below-tabs={isBelowTabs}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className={classes.fields}>{children}</div>
      <div className={classes.foot}>
        {foot}
        <p className={`${classes.summary} tabular`}>{summary}</p>
      </div>
    </form>
  )
}
