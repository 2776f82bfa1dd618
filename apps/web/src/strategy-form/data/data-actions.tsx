import { Button } from '@mantine/core'
import { LinkButton } from '../../ui/form/buttons.tsx'
import classes from './data-actions.module.css'

/** Ask the provider again, import a file, or accept real and synthetic prices in one result. */
export type DataAction = 'retry' | 'import' | 'mix'

const OFFERS: Readonly<Record<string, readonly DataAction[]>> = {
  'backtest.no-data': ['retry', 'import'],
  'backtest.mixed-prices': ['retry', 'import', 'mix'],
  'deployment.synthetic': ['retry', 'import'],
  'deployment.stale-data': ['retry', 'import'],
  'deployment.data': ['retry', 'import'],
}

/** The offers for the code of a refusal; undefined where it is not about data. */
export const dataActionsFor = (code: string): readonly DataAction[] | undefined => OFFERS[code]

interface DataActionsProps {
  offers: readonly DataAction[]
  isRunning: boolean
  onRetry: () => void
  /** Without it mixed prices are not offered. */
  onMix?: () => void
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
      {offers.includes('import') && <LinkButton to="/data-collector?import=csv">Import CSV</LinkButton>}
      {onMix && offers.includes('mix') && (
        <Button variant="default" disabled={isRunning} onClick={onMix}>
          Run with mixed prices
        </Button>
      )}
    </span>
  )
}
