import { Button } from '@mantine/core'
import type { TickerRow } from './ticker-row.ts'
import { holdsIdleCash, withBills } from './cash-leg.ts'
import classes from './setup.module.css'

interface CashLegHintProps {
  rows: readonly TickerRow[]
  onChange: (rows: TickerRow[]) => void
  emptyIsCash: boolean
}

/** Sharpe is measured against bills, so cash that earns nothing looks worse than it need be. */
export function CashLegHint({ rows, onChange, emptyIsCash }: CashLegHintProps) {
  if (!holdsIdleCash(rows, emptyIsCash)) return null
  return (
    <div className={classes.offer}>
      <span className={classes.hint}>Cash (CASHX) earns nothing. TBILLX earns the T-bill rate.</span>
      <Button variant="default" size="compact-sm" onClick={() => onChange(withBills(rows))}>
        Use TBILLX
      </Button>
    </div>
  )
}
