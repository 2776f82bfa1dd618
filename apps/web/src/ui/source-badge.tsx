import { IconFlask2 } from '@tabler/icons-react'
import { Tag } from './tag.tsx'
import classes from './tag.module.css'

/** On the badge, and across charts. */
export const SYNTHETIC_WORDS = 'Synthetic sample data'

/** Stands beside the title of every result. Made-up data is marked by shape, icon and words, not by colour alone. */
export function SourceBadge({
  synthetic,
  provider,
}: { synthetic: true; provider?: never } | { synthetic: false; provider: string }) {
  if (!synthetic) return <Tag>{provider}</Tag>
  return (
    <span className={`${classes.tag} ${classes.synthetic}`}>
      <IconFlask2 size={14} stroke={1.8} aria-hidden />
      {SYNTHETIC_WORDS}
    </span>
  )
}
