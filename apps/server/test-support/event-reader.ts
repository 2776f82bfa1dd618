interface ServerSentEvent {
  id: string | undefined
  event: string | undefined
  data: unknown
}

/** A listener to `GET /api/events` that keeps everything it was told. */
export interface EventReader {
  headers: Headers
  /** Events so far, without comments. */
  events: ServerSentEvent[]
  /** The text of all events so far. */
  text: () => string
  /** Resolves when the server ends the stream. */
  ended: Promise<void>
  leave(): void
}

export async function readEvents(server: string, headers: Record<string, string>): Promise<EventReader> {
  const controller = new AbortController()
  const answer = await fetch(`${server}/api/events`, { headers, signal: controller.signal })
  if (answer.status !== 200) throw new Error(`events answered ${answer.status}: ${await answer.text()}`)
  const events: ServerSentEvent[] = []
  let text = ''
  const read = async () => {
    let rest = ''
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop()!
      events.push(...blocks.filter((block) => block.includes('data:')).map(parse))
    }
  }
  return { headers: answer.headers, events, text: () => text, ended: read(), leave: () => controller.abort() }
}

function parse(block: string): ServerSentEvent {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  return { id: field('id'), event: field('event'), data: JSON.parse(field('data')!) }
}
