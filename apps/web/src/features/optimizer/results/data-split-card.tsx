import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import { formatDateRange } from '../../../lib/format-time.ts'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import classes from './data-split-card.module.css'

interface Part {
  name: string
  kind: 'train' | 'test' | 'hold-out'
  from: string
  to: string
  note?: string
}

/** Which dates taught the models, which scored them, and which nobody saw. */
export function DataSplitCard({ results }: { results: OptimizationResults }) {
  const { train_period: train, test_period: test, luck } = results
  const { period, rows } = luck.hold_out
  const parts: Part[] = [
    { name: 'Train period', kind: 'train', from: train.start_date, to: train.end_date },
    { name: 'Test period', kind: 'test', from: test.start_date, to: test.end_date },
    ...(period
      ? [
          {
            name: 'Hold-out',
            kind: 'hold-out' as const,
            from: period.start_date,
            to: period.end_date,
            note: `${formatCount(rows)} rows`,
          },
        ]
      : []),
  ]
  return (
    <Card title="Data split">
      <div className={classes.bar} aria-hidden>
        {parts.map(({ name, kind, from, to }) => (
          <span key={name} data-kind={kind} style={{ flexGrow: daysBetween(from, to) }} />
        ))}
      </div>
      <dl className={classes.parts}>
        {parts.map(({ name, kind, from, to, note }) => (
          <div key={name}>
            <dt data-kind={kind}>{name}</dt>
            <dd className="tabular">
              {formatDateRange(from, to)}
              {note && <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const DAY_MS = 86_400_000

const daysBetween = (from: string, to: string): number =>
  Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS))
