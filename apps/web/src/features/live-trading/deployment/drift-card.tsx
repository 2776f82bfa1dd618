import { IconChevronRight } from '@tabler/icons-react'
import { formatMoney, formatQuantity } from '../../../lib/format.ts'
import { formatMoment, formatDate } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import type { Overview } from '../queries.ts'
import screen from './deployment-screen.module.css'
import classes from './drift-card.module.css'
import { behindText, bpsText, CAUSE_LABELS, type Fill, fillsOf, pointsText, slippageText } from './drift-words.ts'

/** What made the drift, line by line, and what trading cost. */
export function DriftCard({ replay }: Pick<Overview, 'replay'>) {
  if (!replay || replay.causes.length === 0) return null
  return (
    <Card title="Drift" hint="Live minus replay; the lines add up to it, each measured on top of those above">
      <ul className={classes.causes}>
        {replay.causes.map((cause) => (
          <li key={cause.cause}>
            <CauseLine cause={cause} fills={fillsOf(cause, replay.fills)} />
          </li>
        ))}
        <li className={classes.total}>
          <span>Drift</span>
          <b className="tabular">{pointsText(replay.drift_pct)}</b>
        </li>
      </ul>
      <p className={`${screen.body} ${screen.note}`}>{slippageText(replay)}</p>
    </Card>
  )
}

function CauseLine({ cause, fills }: { cause: NonNullable<Overview['replay']>['causes'][number]; fills: Fill[] }) {
  const behind = behindText(cause)
  const line = (
    <>
      <span>
        {CAUSE_LABELS[cause.cause]} {behind && <small>{behind}</small>}
        {behind && <IconChevronRight size={14} stroke={1.8} aria-hidden />}
      </span>
      <b className="tabular">{pointsText(cause.drift_pct)}</b>
    </>
  )
  if (!behind) return <div className={classes.line}>{line}</div>
  return (
    <details className={classes.details}>
      <summary className={classes.line}>{line}</summary>
      {cause.days.length > 0 && <p className={classes.days}>{cause.days.map(formatDate).join(', ')}</p>}
      {fills.length > 0 && <Fills fills={fills} label={CAUSE_LABELS[cause.cause]} />}
    </details>
  )
}

function Fills({ fills, label }: { fills: readonly Fill[]; label: string }) {
  return (
    <div className={classes.fills}>
      <Table label={label}>
        <thead>
          <tr>
            <th>Order</th>
            <th className={`${numeric} ${secondary}`}>Decision price</th>
            <th className={`${numeric} ${secondary}`}>Quote</th>
            <th className={`${numeric} ${secondary}`}>Quote at sending</th>
            <th className={numeric}>Fill</th>
            <th className={`${numeric} ${secondary}`}>Fee</th>
            <th className={numeric}>Cost</th>
          </tr>
        </thead>
        <tbody>
          {fills.map((fill) => (
            <tr key={fill.client_order_id}>
              <td title={fill.client_order_id}>
                {fill.side === 'buy' ? 'Buy' : 'Sell'} {formatQuantity(fill.quantity)} {fill.symbol}
                <small className={screen.reason}>{formatMoment(fill.timestamp)}</small>
              </td>
              <td className={`${numeric} ${secondary}`}>{formatMoney(fill.decision_price)}</td>
              <td className={`${numeric} ${secondary}`}>{formatMoney(fill.quote)}</td>
              <td className={`${numeric} ${secondary}`}>{formatMoney(fill.quote_at_sending)}</td>
              <td className={numeric}>{formatMoney(fill.price)}</td>
              <td className={`${numeric} ${secondary}`}>{formatMoney(fill.fee)}</td>
              <td className={numeric}>{bpsText(fill.cost_bps)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
