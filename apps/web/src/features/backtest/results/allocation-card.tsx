import { formatNumber } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { barWidth } from './bar-width.ts'
import classes from './bars.module.css'

export function AllocationCard({ allocation }: { allocation: Record<string, number> }) {
  return (
    <Card title="Asset Allocation" hint="Percent of account value">
      <ul className={classes.rows}>
        {Object.entries(allocation).map(([ticker, percent]) => (
          <li key={ticker}>
            <span className={classes.words}>
              <span>{ticker}</span>
              <b className="tabular">{formatNumber(percent, { decimals: 2, minDecimals: 0, suffix: '%' })}</b>
            </span>
            <span className={classes.track} aria-hidden>
              <span className={classes.bar} style={{ width: `${barWidth(percent / 100)}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
