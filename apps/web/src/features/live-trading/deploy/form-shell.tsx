import type { ReactNode } from 'react'
import classes from './deploy-form.module.css'

interface FormShellProps {
  label: string
  isBusy: boolean
  onSubmit: () => void
  children: ReactNode
}

/** The sections at the left, the summary with the button at the right. */
export function FormShell({ label, isBusy, onSubmit, children }: FormShellProps) {
  return (
    <form
      className={classes.columns}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit()
      }}
    >
      {/* Enter in a field says what is missing; a disabled button alone would keep the browser from asking. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
      {children}
    </form>
  )
}
