import { parsed } from './http.ts'

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
