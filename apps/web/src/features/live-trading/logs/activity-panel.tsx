import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowsExchange,
  IconInfoCircle,
  IconWaveSine,
} from '@tabler/icons-react'
import type { ActivityItem } from '@tradewright/contract/live-trading-fields'
import type { UseQueryResult } from '@tanstack/react-query'
import { formatExact, formatMoment } from '../../../lib/format-time.ts'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { sentenceOf } from '../messages.ts'
import { activityWords } from './activity-words.ts'
import classes from './logs.module.css'

interface ActivityPanelProps {
  activity: UseQueryResult<ActivityItem[]>
  isChosen: boolean
}

/** Decisions and trades, newest first as the server has them. */
export function ActivityPanel({ activity, isChosen }: ActivityPanelProps) {
  if (!isChosen) return <p className={classes.empty}>Deploy a strategy to see what it decides and trades.</p>
  if (activity.isError) {
    return (
      <p className={classes.empty} role="alert">
        {sentenceOf(activity.error)}
      </p>
    )
  }
  if (activity.isPending) return <CardSkeleton rows={6} />
  if (activity.data.length === 0)
    return (
      <p className={classes.empty}>
        No signals or trades yet. The first appear at the next check, which the card of the deployment names.
      </p>
    )
  return (
    // The keyboard must be able to scroll what does not fit.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className={classes.items} aria-label="Signals & Trades" tabIndex={0}>
      {activity.data.map((item, index) => (
        // Items have no id of their own, and two may be of the same instant.
        // oxlint-disable-next-line react/no-array-index-key
        <ActivityRow key={`${item.timestamp} ${index}`} item={item} />
      ))}
    </ul>
  )
}

const ICONS = {
  signal: IconWaveSine,
  trade: IconArrowsExchange,
  info: IconInfoCircle,
  warning: IconAlertTriangle,
  error: IconAlertCircle,
}

function ActivityRow({ item }: { item: ActivityItem }) {
  const { title, detail, by } = activityWords(item)
  const kind = item.type === 'event' ? item.level : item.type
  const Glyph = ICONS[kind]
  return (
    <li className={classes.item} data-level={kind}>
      <Glyph size={16} stroke={1.7} aria-hidden />
      <div>
        <p className={classes.itemTitle}>{title}</p>
        {detail && <p className={classes.itemDetail}>{detail}</p>}
        {by && <p className={classes.itemDetail}>{by}</p>}
        <time className={classes.itemTime} dateTime={item.timestamp} title={formatExact(item.timestamp)}>
          {formatMoment(item.timestamp, 'seconds')}
        </time>
      </div>
    </li>
  )
}
