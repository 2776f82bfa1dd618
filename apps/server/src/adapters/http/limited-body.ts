import { HttpFailure } from './http-failure.ts'

const MEGABYTE = 1024 * 1024

/** Reads a body as text, and stops reading one that is larger than anything the vendor should send. */
export async function readLimitedText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) {
      throw new HttpFailure('malformed', `it sent more than ${Math.round(maxBytes / MEGABYTE)} MB in one answer`)
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Block pages and login pages come as HTML with status 200, so the body is inspected and not only its label. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(text, cause)
  }
}

/** What was sent instead. The parser's message quotes the body, so it stays in the cause. */
export function notJson(text: string, cause?: unknown): HttpFailure {
  const start = text.slice(0, 10_000).trimStart()
  if (start === '') return new HttpFailure('malformed', 'it sent an empty answer')
  if (start.startsWith('<'))
    return new HttpFailure('malformed', 'it sent a web page instead of data', { body: text.slice(0, 500) })
  return new HttpFailure('malformed', 'it sent an answer that is incomplete or not JSON', { cause })
}
