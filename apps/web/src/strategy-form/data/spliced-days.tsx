import { VisuallyHidden } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { SplicedTickers } from '@tradewright/contract/backtest-figures'
import { formatDate } from '../../lib/format-time.ts'
import classes from './spliced-days.module.css'

/** Days of a result on which prices of others stand in for a ticker that had none yet. */
interface SplicedDays {
  /** From the left edge of the chart up to here, in seconds. */
  until: number
  /** `TLT is VUSTX until Jul 29, 2002`, one for each ticker. */
  sentences: string[]
}

/** Null where every ticker has its own prices on every day that is shown. */
export function splicedDays(spliced: SplicedTickers, firstDate: string | undefined): SplicedDays | null {
  const first = firstDate?.slice(0, 10) ?? ''
  const shown = spliced.flatMap(({ ticker, stand_ins }) => {
    const seen = stand_ins.filter(({ end_date }) => end_date >= first)
    return seen.length === 0 ? [] : [{ symbol: ticker.split('?')[0]!, seen }]
  })
  if (shown.length === 0) return null
  const sentences = shown.map(({ symbol, seen }) => {
    const parts = seen.map((one) => `${one.ticker} until ${formatDate(one.end_date)}`)
    return `${symbol} is ${parts.join(', then ')}`
  })
  return {
    until: Math.max(...shown.flatMap(({ seen }) => seen.map(({ end_date }) => Date.parse(end_date) / 1000))),
    sentences: [...new Set(sentences)],
  }
}

/** What the shaded part of a chart is. */
export function SplicedNote({ spliced }: { spliced: SplicedDays | null }) {
  if (!spliced) return null
  return (
    <p className={classes.spliced}>
      <span className={classes.shade} aria-hidden /> Shaded: fallback prices. {spliced.sentences.join('. ')}.
    </p>
  )
}

/** Stands above figures and tables that have no chart of days to shade. */
export function IncludesSpliced({ spliced, dates }: { spliced: SplicedTickers; dates: readonly string[] }) {
  const days = splicedDays(spliced, dates[0])
  if (!days) return null
  return <p className={classes.includes}>Figures include days with fallback prices. {days.sentences.join('. ')}.</p>
}

/** Beside the name or a figure of a result in a list; `firstDate` where `spliced` has also what ended before the result. */
export function SplicedMark({ spliced, firstDate }: { spliced: SplicedTickers; firstDate?: string }) {
  const days = splicedDays(spliced, firstDate)
  if (!days) return null
  const words = `Includes fallback prices. ${days.sentences.join('. ')}.`
  return (
    <span className={classes.mark} title={words}>
      <IconHistory size={14} stroke={1.8} aria-hidden />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}
