import { Button } from '@mantine/core'
import { Card } from '../../ui/card.tsx'
import classes from './load-failure.module.css'

/** In the place of the list, so that nobody with money at work reads that there is nothing. */
export function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Card>
      <p className={classes.failure} role="alert">
        Could not load, try again.
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </p>
    </Card>
  )
}
