import { Button } from '@mantine/core'
import { Card } from '../../ui/layout/card.tsx'
import classes from './load-failure.module.css'

/** In the place of the list, so that a failure is not taken for an account without deployments. */
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
