import { IconAlertTriangle } from '@tabler/icons-react'
import classes from './warning-list.module.css'

/** Nothing where there is nothing to warn of. */
export function WarningList({ label, warnings }: { label: string; warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className={classes.warnings} aria-label={label}>
      {warnings.map((warning) => (
        <li key={warning}>
          <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
          {warning}
        </li>
      ))}
    </ul>
  )
}
