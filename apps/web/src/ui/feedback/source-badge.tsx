import { VisuallyHidden } from '@mantine/core'
import { IconFlask2 } from '@tabler/icons-react'
import { Tag } from './tag.tsx'
import classes from './tag.module.css'

/** The words on the badge, and in a corner of charts. */
export const SYNTHETIC_WORDS = 'Synthetic sample data'

/** More are counted: the badge stays on one line. */
const MAX_NAMED = 4

const NONE: readonly string[] = []

interface SyntheticProps {
  synthetic: true
  /** The series that are synthetic, where others are not or where a reader may wonder. */
  tickers?: readonly string[]
  provider?: never
}

/** Stands beside the title of every result. Made-up data is marked by shape, icon and words, not by colour alone. */
export function SourceBadge({
  synthetic,
  provider,
  tickers = NONE,
}: SyntheticProps | { synthetic: false; provider: string; tickers?: never }) {
  if (!synthetic) return <Tag>{provider}</Tag>
  return (
    <span
      className={`${classes.tag} ${classes.synthetic}`}
      {...(tickers.length > 0 ? { title: tickers.join(', ') } : {})}
    >
      <IconFlask2 size={14} stroke={1.8} aria-hidden />
      {tickers.length === 0 ? SYNTHETIC_WORDS : `${SYNTHETIC_WORDS}: ${named(tickers)}`}
    </span>
  )
}

/** The same in a row of a list, where the badge has no room: the icon, with the words for readers and pointers. */
export function SyntheticMark({ tickers = NONE }: { tickers?: readonly string[] }) {
  const words = tickers.length === 0 ? SYNTHETIC_WORDS : `${SYNTHETIC_WORDS}: ${named(tickers)}`
  return (
    <span className={classes.syntheticMark} title={words}>
      <IconFlask2 size={14} stroke={1.8} aria-hidden />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}

function named(tickers: readonly string[]): string {
  if (tickers.length <= MAX_NAMED) return tickers.join(', ')
  return `${tickers.slice(0, MAX_NAMED).join(', ')} and ${tickers.length - MAX_NAMED} more`
}
