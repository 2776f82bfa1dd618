import { type Credentials, headersOf } from './visitor.ts'

interface ChatEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An answer of the assistant as it comes over a real connection. */
interface StreamedAnswer {
  /** Reads on until an event of this name has come. */
  until(name: string): Promise<ChatEvent>
  /** Everything that still comes, until the server ends the answer. */
  rest(): Promise<ChatEvent[]>
  /** Closes the connection, as the screen's Stop does. */
  stop(): void
}

export async function askOverHttp(
  server: string,
  user: Credentials,
  body: object,
  path = '/api/ai-assistant-query',
): Promise<StreamedAnswer> {
  const connection = new AbortController()
  const answer = await fetch(`${server}${path}`, {
    method: 'POST',
    headers: { ...headersOf(user), accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ conversation_id: 'c1', ...body }),
    signal: connection.signal,
  })
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${await answer.text()}`)
  const events = eventsIn(answer.body!)
  return {
    async until(name) {
      for (;;) {
        const { value, done } = await events.next()
        if (done) throw new Error(`the answer ended without "${name}"`)
        if (value.event === name) return value
      }
    },
    async rest() {
      const found: ChatEvent[] = []
      for await (const event of events) found.push(event)
      return found
    },
    stop: () => connection.abort(),
  }
}

async function* eventsIn(body: NonNullable<Response['body']>): AsyncGenerator<ChatEvent, undefined> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const [, event, data] = /event: (\w+)\ndata: (.*)/.exec(block) ?? []
      if (event && data) yield { event, data: JSON.parse(data) as ChatEvent['data'] }
    }
  }
}
