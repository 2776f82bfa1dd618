import { Button } from '@mantine/core'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { useChooseTicker } from './actions.ts'
import type { Tell } from './messages.ts'
import classes from './ticker-choices.module.css'

/** What becomes of holdings that a corporate action turned into another ticker. */
export function TickerChoices({ deployment, tell }: { deployment: Deployment; tell: Tell }) {
  const choice = useChooseTicker(deployment.id, tell)
  return (
    <div className={classes.choices}>
      {deployment.ticker_changes.map(({ from, to }) => (
        <div className={classes.choice} key={from}>
          <Button disabled={choice.isPending} onClick={() => choice.mutate({ from, to, action: 'trade' })}>
            Trade {to} in place of {from}
          </Button>
          <Button
            variant="default"
            disabled={choice.isPending}
            onClick={() => choice.mutate({ from, to, action: 'sell' })}
          >
            Sell {to} at the next run
          </Button>
        </div>
      ))}
    </div>
  )
}
