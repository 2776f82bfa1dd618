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

interface ServerEvent {
  event: string
  data: unknown
}

/** Server-sent events of an answer to a POST, which `EventSource` cannot make. Comments and ids are passed over. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    rest += decoder.decode(value, { stream: !done })
    const records = rest.split('\n\n')
    rest = records.pop() ?? ''
    for (const record of records) {
      const event = eventIn(record)
      if (event) yield event
    }
    if (done) return
  }
}

function eventIn(record: string): ServerEvent | undefined {
  const field = (name: string) =>
    record
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
      .join('\n')
  const event = field('event')
  return event === '' ? undefined : { event, data: parsed(field('data')) }
}

interface Throttled {
  call(): void
  /** Cancels the pending call. */
  stop(): void
}

/** Trailing throttle: all calls within `ms` milliseconds run `act` once, at their end. */
export function throttle(act: () => void, ms: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    call: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
