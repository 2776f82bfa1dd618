import { todayUtc } from '../../../strategy-form/dates.ts'
import { useFeatures, useTargets } from '../../../strategy-form/queries.ts'
import { formatNumber } from '../../../lib/format.ts'
import type { BacktestForm } from '../form.ts'
import { gallery, type GalleryEntry } from './gallery-catalogue.ts'
import { galleryForm } from './gallery-form.ts'
import classes from './gallery.module.css'

export interface GalleryProps {
  isRunning: boolean
  /** Fills the form and runs it. */
  onRun: (form: BacktestForm) => void
}

/** Ready strategies, each a button that gives a result. */
export function GalleryList({ isRunning, onRun }: GalleryProps) {
  const features = useFeatures().data
  const targets = useTargets().data
  return (
    <ul className={classes.list}>
      {gallery.map((entry) => {
        const isLoading = entry.type === 'ML' && !(features && targets)
        return (
          <li key={entry.id}>
            <button
              type="button"
              className={classes.entry}
              disabled={isRunning || isLoading}
              onClick={() =>
                onRun(galleryForm(entry, todayUtc(), { features: features ?? [], targets: targets ?? [] }))
              }
            >
              <span className={classes.name}>{entry.name}</span>
              <span className={classes.holdings}>{holdingsOf(entry)}</span>
              <span className={classes.text}>{entry.text}</span>
              <span className={classes.source}>{entry.source}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function holdingsOf(entry: GalleryEntry): string {
  if (entry.type === 'ML') return `${entry.buys} · walk-forward`
  return entry.allocations
    .map(
      ([ticker, percent]) =>
        `${ticker.replace('?L=', ' ')}${ticker.includes('?') ? '×' : ''}\u00a0${percentText(percent)}`,
    )
    .join(' · ')
}

const percentText = (percent: number) => formatNumber(percent, { decimals: 1, minDecimals: 0, suffix: '%' })
