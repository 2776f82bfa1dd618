import { EVENTS_PATH, JobEvent } from '@tradewright/contract/events'
import { parsed } from './http.ts'
import { withChosenFormats } from './sentences.ts'

/** The part of `EventSource` that is used here. */
type Stream = Pick<EventSource, 'addEventListener' | 'close'>

interface JobWatch {
  onJob: (event: JobEvent) => void
  /** Events may have been missed: ask again for what is on the screen. */
  onResync?: () => void
}

const openStream = (path: string): Stream => new EventSource(path, { withCredentials: true })

/** Listens to the jobs of the signed-in user until the returned function is called. The browser reconnects by itself. */
export function watchJobs({ onJob, onResync }: JobWatch, open = openStream): () => void {
  const stream = open(EVENTS_PATH)
  stream.addEventListener('job', (message: MessageEvent<string>) => {
    const event = JobEvent.safeParse(parsed(message.data))
    if (event.success) onJob(withChosenFormats(JobEvent, event.data))
  })
  if (onResync) stream.addEventListener('resync', onResync)
  return () => stream.close()
}

/** Calls back when a proposal was made or answered, or may have been, until the returned function is called. */
export function watchProposals(onChange: () => void, open = openStream): () => void {
  const stream = open(EVENTS_PATH)
  stream.addEventListener('proposals', onChange)
  stream.addEventListener('resync', onChange)
  return () => stream.close()
}
