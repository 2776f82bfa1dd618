import { IconAlertCircle } from '@tabler/icons-react'
import classes from './field-error.module.css'

/** Under a field, as its `error`: icon plus sentence. */
export function FieldError({ text }: { text: string }) {
  return (
    <span className={classes.error}>
      <IconAlertCircle size={14} stroke={1.8} aria-hidden />
      {text}
    </span>
  )
}
