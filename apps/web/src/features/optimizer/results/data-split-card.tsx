import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import { formatDateRange } from '../../../lib/format-time.ts'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
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

interface SplitPart {
  name: string
  kind: 'train' | 'test' | 'hold-out'
  from: string
  to: string
  /** The rows of the hold-out; other parts have none. */
  rows?: number
}

/** The dates that the models were trained on, those that scored them, and the hold-out that the search did not see. */
export function splitParts({ train_period: train, test_period: test, luck }: OptimizationResults): SplitPart[] {
  const { period, rows } = luck.hold_out
  const parts: SplitPart[] = [
    { name: 'Train period', kind: 'train', from: train.start_date, to: train.end_date },
    { name: 'Test period', kind: 'test', from: test.start_date, to: test.end_date },
  ]
  if (period) parts.push({ name: 'Hold-out', kind: 'hold-out', from: period.start_date, to: period.end_date, rows })
  return parts
}

interface Place {
  /** The part's left edge and its width, in percent of the whole time. */
  left: number
  width: number
}

/** Where each part lies in time. */
export function placesOf(parts: readonly Pick<SplitPart, 'from' | 'to'>[]): Place[] {
  const spans = parts.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }))
  const first = Math.min(...spans.map(({ from }) => from))
  const whole = Math.max(...spans.map(({ to }) => to)) - first || 1
  return spans.map(({ from, to }) => ({ left: (100 * (from - first)) / whole, width: (100 * (to - from)) / whole }))
}

/** The windows of walk-forward overlap: the last model learns from what earlier ones were tested on. */
export const doOverlap = (parts: readonly Pick<SplitPart, 'from' | 'to'>[]): boolean =>
  parts.some(({ from }, index) => index > 0 && from <= parts[index - 1]!.to)
