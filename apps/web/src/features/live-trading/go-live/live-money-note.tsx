import { IconAlertTriangle } from '@tabler/icons-react'
import type { TradingAccount } from '@tradewright/contract/live-trading-fields'
import classes from './live-money-note.module.css'

/** Stands above the button of the deploy form, where the account holds real money. */
export function LiveMoneyNote({ account, isStarting }: { account: TradingAccount | undefined; isStarting: boolean }) {
  if (account?.paper_trading !== false) return null
  return (
    <p className={classes.note}>
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
      <span>
        <strong>Live money.</strong>{' '}
        {isStarting ? 'Asks for the name once more before anything is sent.' : 'Nothing is sent until you start it.'}
      </span>
    </p>
  )
}
