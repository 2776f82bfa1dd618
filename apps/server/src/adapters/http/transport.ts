export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface HttpRequest {
  readonly method: HttpMethod
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  header(name: string): string | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/** Sends one request and gives what came back, whatever its status. Rejects when nothing did. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

async function* nothing(): AsyncIterable<Uint8Array> {}

/**
 * For the services of the configuration. Redirects come back as they are: none of these services redirects, and
 * following one would carry key headers to another host.
 */
export const fetchTransport: Transport = async ({ method, url, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    signal,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: response.body ?? nothing(),
  }
}
