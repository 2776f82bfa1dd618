import type { ReactNode, RefCallback } from 'react'
import classes from './deploy-form.module.css'

interface FormShellProps {
  label: string
  isBusy: boolean
  /** Of `useWorkOutOfSight`: its tab keeps what was typed. */
  work: RefCallback<HTMLFormElement>
  onSubmit: () => void
  children: ReactNode
}

/** The sections at the left, the summary with the button at the right. */
export function FormShell({ label, isBusy, work, onSubmit, children }: FormShellProps) {
  return (
    <form
      ref={work}
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
