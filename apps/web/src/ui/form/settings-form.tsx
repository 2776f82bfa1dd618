import type { ReactNode } from 'react'
import classes from './settings-form.module.css'
import { LEAVE_FREELY } from './unsaved-work.ts'

interface SettingsFormProps {
  label: string
  /** Scrolls by itself. */
  children: ReactNode
  /** Always in sight: the main button, and in one line what it will do. */
  foot: ReactNode
  summary: string
  /** Beside the summary: a quiet button. */
  aside?: ReactNode
  onSubmit: () => void
  /** The page's heading and tabs stand above it and take some of its height. */
  isBelowTabs?: boolean
}

/** A column of settings that stays in sight beside its results; on a narrow screen its foot is a fixed bar. */
export function SettingsForm({
  label,
  children,
  foot,
  summary,
  aside,
  onSubmit,
  isBelowTabs = false,
}: SettingsFormProps) {
  return (
    <form
      className={classes.panel}
      data-runs
      data-below-tabs={isBelowTabs}
      aria-label={label}
      noValidate
      // Its screens keep what is typed as a draft.
      {...LEAVE_FREELY}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className={classes.fields}>{children}</div>
      <div className={classes.foot}>
        {foot}
        <div className={classes.line}>
          <p className={`${classes.summary} tabular`}>{summary}</p>
          {aside}
        </div>
      </div>
    </form>
  )
}
