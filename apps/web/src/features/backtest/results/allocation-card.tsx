import { Button } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import { formatNumber } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { barWidth } from './bar-width.ts'
import classes from './bars.module.css'

interface AllocationCardProps {
  allocation: Record<string, number>
  /** Left out where nothing can be started, on paper. */
  onConstruct?: () => void
}

export function AllocationCard({ allocation, onConstruct }: AllocationCardProps) {
  return (
    <Card
      title="Asset Allocation"
      hint="Percent of account value"
      actions={
        onConstruct && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconScale size={14} aria-hidden />}
            onClick={onConstruct}
          >
            Find better weights
          </Button>
        )
      }
    >
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
