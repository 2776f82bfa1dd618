import { Button } from '@mantine/core'
import { LinkButton } from '../../ui/link-button.tsx'
import classes from './data-actions.module.css'
import type { DataAction } from './messages.ts'

interface DataActionsProps {
  offers: readonly DataAction[]
  isRunning: boolean
  onRetry: () => void
  onMix: () => void
}

/** What can be done where a data provider did not deliver. */
export function DataActions({ offers, isRunning, onRetry, onMix }: DataActionsProps) {
  return (
    <span className={classes.actions}>
      {offers.includes('retry') && (
        <Button variant="default" disabled={isRunning} onClick={onRetry}>
          Retry
        </Button>
      )}
      {offers.includes('import') && <LinkButton to="/data-collector?import=csv">Import</LinkButton>}
      {offers.includes('mix') && (
        <Button variant="default" disabled={isRunning} onClick={onMix}>
          Run with mixed prices
        </Button>
      )}
    </span>
  )
}
