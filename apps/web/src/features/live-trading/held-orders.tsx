import { Button } from '@mantine/core'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { useAnswerHeldOrder } from './actions.ts'
import type { Tell } from './messages.ts'
import classes from './ticker-choices.module.css'

/** What becomes of orders that were cancelled at the broker, or refused for a reason that only the user can remove. */
export function HeldOrders({ deployment, tell }: { deployment: Deployment; tell: Tell }) {
  const answer = useAnswerHeldOrder(deployment.id, tell)
  return (
    <div className={classes.choices}>
      {deployment.held_orders.map(({ ticker, side }) => (
        <div className={classes.choice} key={`${side} ${ticker}`}>
          <Button disabled={answer.isPending} onClick={() => answer.mutate({ ticker, side, action: 'send' })}>
            {side === 'buy' ? 'Buy' : 'Sell'} {ticker} again
          </Button>
          <Button
            variant="default"
            disabled={answer.isPending}
            onClick={() => answer.mutate({ ticker, side, action: 'leave' })}
          >
            Leave {ticker} as it is
          </Button>
        </div>
      ))}
    </div>
  )
}
