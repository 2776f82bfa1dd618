import type { ReactNode, RefCallback } from 'react'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import classes from './deploy-form.module.css'

interface FormShellProps {
  label: string
  isBusy: boolean
  /**
   * The reference from `useWorkOutOfSight`: its tab keeps what was typed. Left out where the form is kept as a draft.
   */
  work?: RefCallback<HTMLFormElement>
  onSubmit: () => void
  children: ReactNode
}

/** The sections at the left, the summary with the button at the right. */
export function FormShell({ label, isBusy, work, onSubmit, children }: FormShellProps) {
  return (
    <form
      {...(work ? { ref: work } : LEAVE_FREELY)}
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
