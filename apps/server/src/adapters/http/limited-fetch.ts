import { HttpFailure } from './http-failure.ts'

/** The bytes of a body, until there are more than allowed. */
export async function* limitedBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new HttpFailure('malformed', 'it sent too much in one answer')
    yield chunk
  }
}

/** `fetch` for SDKs that read whatever a service sends. Time is bounded by the signal they pass. */
export const limitedFetch =
  (maxBytes: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    const { status, statusText, headers } = response
    return new Response(ReadableStream.from(limitedBytes(response.body, maxBytes)), { status, statusText, headers })
  }
