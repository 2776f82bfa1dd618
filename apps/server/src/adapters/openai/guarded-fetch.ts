import type { GuardOptions } from '../http/address-guard.ts'
import { guardedTransport } from '../http/guarded-transport.ts'
import { limitedBytes } from '../http/limited-fetch.ts'
import type { HttpMethod } from '../http/transport.ts'

/** More than any answer in words needs. */
export const MAX_ANSWER_BYTES = 1024 * 1024

/** `fetch` for an address that a user has chosen: what is private or reserved is not called. */
export function guardedFetch(options: GuardOptions): typeof fetch {
  const transport = guardedTransport(options)
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const response = await transport({
      method: (init.method ?? 'GET').toUpperCase() as HttpMethod,
      url,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : undefined,
      signal: init.signal ?? new AbortController().signal,
    })
    const names = ['content-type', 'retry-after', 'x-request-id', 'x-should-retry', 'retry-after-ms']
    const headers = names.flatMap((name) => {
      const value = response.header(name)
      return value === undefined ? [] : [[name, value] as [string, string]]
    })
    return new Response(ReadableStream.from(limitedBytes(response.body, MAX_ANSWER_BYTES)), {
      status: response.status,
      headers,
    })
  }
}
