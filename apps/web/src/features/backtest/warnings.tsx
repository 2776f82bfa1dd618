import type { BacktestForm } from './form.ts'
import { useWarnings } from './use-warnings.ts'
import classes from './warnings.module.css'

/** Nothing here stops a run. */
export function Warnings({ form }: { form: BacktestForm }) {
  const warnings = useWarnings(form)
  return (
    <ul className={classes.warnings} aria-label="Before you run" aria-live="polite">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  )
}
