import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import type { HomeAlert } from '@tradewright/contract/home'
import { Link } from 'react-router'
import { formatMarketMoment } from '../../../lib/format-time.ts'
import classes from './attention-panel.module.css'
import { Panel } from './panel.tsx'
import { useAlerts } from '../queries.ts'

const MAX_ROWS = 4

export function AttentionPanel() {
  const alerts = useAlerts()
  const count = alerts.data?.length ?? 0
  if (alerts.data && count === 0) return null
  return (
    <Panel
      title="Needs attention"
      query={alerts}
      rows={2}
      {...(count > 0 ? { link: { to: '/live-trading', text: count === 1 ? '1 alert' : `All ${count} alerts` } } : {})}
    >
      {(data) => (
        <ul className={classes.rows}>
          {data.slice(0, MAX_ROWS).map((alert) => (
            <Alert key={`${alert.source} ${alert.id} ${alert.text}`} alert={alert} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Alert({ alert: { source, id, name, level, text, at } }: { alert: HomeAlert }) {
  const Glyph = source === 'account' ? IconPlugConnectedX : IconAlertTriangle
  const path = source === 'account' ? '/settings#alpaca' : `/live-trading/${id}`
  return (
    <li className={classes.row}>
      <Glyph className={classes.glyph} data-level={level} size={18} stroke={1.7} aria-hidden />
      <div className={classes.words}>
        <p className={classes.name}>
          <Link to={path}>{name}</Link>
        </p>
        <p className={classes.text}>{text}</p>
        {at && <p className={classes.when}>{formatMarketMoment(at)}</p>}
      </div>
    </li>
  )
}
