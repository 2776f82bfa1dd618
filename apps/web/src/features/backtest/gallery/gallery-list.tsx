import { kindNamed } from '@tradewright/core/strategy-kinds'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { TextField } from '../../../ui/form/fields.tsx'
import { todayUtc } from '../../../strategy-form/dates.ts'
import { useFeatures, useTargets } from '../../../strategy-form/queries.ts'
import type { BacktestForm } from '../form/form.ts'
import { gallery, type GalleryEntry } from './gallery-catalogue.ts'
import { galleryForm, holdingsOf } from './gallery-form.ts'
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
  const [search, setSearch] = useState('')
  const found = foundIn(gallery, search)
  const groups = GROUPS.map(({ type, title }) => ({
    type,
    title,
    entries: found.filter((entry) => entry.type === type),
  }))
  return (
    <>
      <div className={classes.search}>
        <TextField
          label="Search ready strategies"
          hideLabel
          type="search"
          placeholder="Search by name, ticker or author"
          value={search}
          onChange={setSearch}
          leftSection={<IconSearch aria-hidden />}
        />
      </div>
      <output className={classes.none}>{found.length === 0 && 'No ready strategy matches your search.'}</output>
      {groups.map(
        ({ type, title, entries }) =>
          entries.length > 0 && (
            <section key={type} className={classes.group}>
              <h3 className={classes.heading}>{title}</h3>
              <ul className={classes.list}>
                {entries.map((entry) => {
                  const isLoading = kindNamed(entry.type).learns && !(features && targets)
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
            </section>
          ),
      )}
    </>
  )
}

/** Every word of the search is in its name, tickers, text or source. */
export function foundIn(entries: readonly GalleryEntry[], search: string): GalleryEntry[] {
  const words = search.toLowerCase().split(/\s+/)
  return entries.filter((entry) => {
    const text = [entry.name, holdingsOf(entry), entry.text, entry.source].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

const GROUPS: readonly { type: GalleryEntry['type']; title: string }[] = [
  { type: 'Asset Allocation', title: 'Fixed weights' },
  { type: 'Rules', title: 'Rules' },
  { type: 'ML', title: 'Machine learning' },
  { type: 'External signal', title: 'Signals from outside' },
]
