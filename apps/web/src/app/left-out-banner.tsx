import { useSyncExternalStore } from 'react'
import { dropLeftOut, leftOutEntries, leftOutSentence } from '../lib/left-out-entries.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import classes from './layout.module.css'

/** Entries that are missing on the screen are told as long as they are missing: sums over a list would be wrong unseen. */
export function LeftOutBanner() {
  const byCall = useSyncExternalStore(leftOutEntries.subscribe, leftOutEntries.snapshot)
  if (byCall.size === 0) return null
  const sentences = new Set([...byCall.values()].flat().map(leftOutSentence))
  return (
    <div className={classes.notice}>
      <Banner
        kind="warning"
        text={[...sentences].join(' ')}
        detail="Sums and counts do not include them. Reload the page. If they stay missing, the server’s log says why."
        onClose={dropLeftOut}
      />
    </div>
  )
}
