import { EVENTS_PATH, JobEvent } from '@tradewright/contract/events'
import { parsed } from './http.ts'

/** The part of `EventSource` that is used here. */
type Stream = Pick<EventSource, 'addEventListener' | 'close'>

interface JobWatch {
  onJob: (event: JobEvent) => void
  /** Events may have been missed: ask again for what is on the screen. */
  onResync?: () => void
}

/** Listens to the jobs of the signed-in user until the returned function is called. The browser reconnects by itself. */
export function watchJobs(
  { onJob, onResync }: JobWatch,
  open: (path: string) => Stream = (path) => new EventSource(path, { withCredentials: true }),
): () => void {
  const stream = open(EVENTS_PATH)
  stream.addEventListener('job', (message: MessageEvent<string>) => {
    const event = JobEvent.safeParse(parsed(message.data))
    if (event.success) onJob(event.data)
  })
  if (onResync) stream.addEventListener('resync', onResync)
  return () => stream.close()
}
