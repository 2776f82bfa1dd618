import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import { formatDateRange } from '../../../lib/format-time.ts'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { doOverlap, placesOf, splitParts } from './data-split.ts'
import classes from './data-split-card.module.css'

/** Parts that overlap get a line each, and a word why that is no peeking. */
export function DataSplitCard({ results }: { results: OptimizationResults }) {
  const parts = splitParts(results)
  const places = placesOf(parts)
  const isRolling = doOverlap(parts)
  return (
    <Card
      title="Data split"
      hint={
        isRolling &&
        'Each walk-forward model learned from rows before its own test only; the train period is that of the newest one'
      }
    >
      <div className={classes.bar} data-rolling={isRolling} aria-hidden>
        {parts.map(({ name, kind }, index) => (
          <span
            key={name}
            data-kind={kind}
            style={{ marginLeft: `${places[index]?.left}%`, width: `${places[index]?.width}%` }}
          />
        ))}
      </div>
      <dl className={classes.parts}>
        {parts.map(({ name, kind, from, to, rows }) => (
          <div key={name}>
            <dt data-kind={kind}>{name}</dt>
            <dd className="tabular">
              {formatDateRange(from, to)}
              {rows !== undefined && <small>{formatCount(rows)} rows</small>}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
