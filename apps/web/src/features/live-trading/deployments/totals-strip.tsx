import type { Deployment, TradingAccount } from '@tradewright/contract/live-trading-fields'
import { formatMoney, formatNumber, formatSignedMoney } from '../../../lib/format.ts'
import { Delta } from '../../../ui/table/figure.tsx'
import { Term } from '../../../ui/feedback/explanation.tsx'
import { totalsOf } from './totals.ts'
import classes from './totals-strip.module.css'

interface TotalsStripProps {
  deployments: readonly Deployment[]
  accounts: readonly TradingAccount[]
}

export function TotalsStrip({ deployments, accounts }: TotalsStripProps) {
  const { pnl, committed, running, count, allocated } = totalsOf(deployments, accounts)
  return (
    <dl className={classes.strip} aria-label="Totals">
      <div>
        <dt>
          <span>Total P&amp;L</span>
          <Term of="Total P&L" term="P&L" />
        </dt>
        <dd>
          <Delta value={pnl} withArrow zeroIsGain>
            {formatSignedMoney(pnl)}
          </Delta>
        </dd>
      </div>
      <div>
        <dt>
          <span>Committed capital</span>
          <Term of="Committed capital" term="committed capital" />
        </dt>
        <dd className="tabular">{formatMoney(committed)}</dd>
      </div>
      <div>
        <dt>Running</dt>
        <dd className="tabular">
          {running} of {count}
        </dd>
      </div>
      {allocated.map(({ name, percent, kept }) => (
        <div key={name}>
          <dt>{name} allocated</dt>
          <dd className={`${classes.allocated} tabular`}>
            {formatNumber(percent, { decimals: 1, suffix: '%' })}
            <span className={classes.track} aria-hidden>
              <span className={classes.bar} style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
              <span className={classes.kept} style={{ width: `${Math.min(100, Math.max(0, kept))}%` }} />
            </span>
          </dd>
          {kept > 0 && (
            <dd className={`${classes.below} tabular`}>
              {formatNumber(kept, { decimals: 1, suffix: '%' })} kept by stopped deployments
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
