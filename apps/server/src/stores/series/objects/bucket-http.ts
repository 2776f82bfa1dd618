import { Agent, type IncomingMessage } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { type Readable, pipeline } from 'node:stream'
import { type Exchange, guardedExchange } from '../../../adapters/http/address-guard.ts'
import type { StoreAccess } from '../store-access.ts'
import { byteLimit } from './object-storage.ts'

export interface BucketAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

/** The HTTP of the vendors' SDKs: through the guard, without redirects and proxies, every answer bounded. */
export interface BucketHttp {
  /** With `isFile`, the body of a success is bounded by the code that reads it. */
  send(request: Omit<Exchange, 'agent'>, isFile: boolean): Promise<BucketAnswer>
  close(): void
}

export function bucketHttp({ guard, limits }: StoreAccess): BucketHttp {
  const agents = { http: new Agent({ keepAlive: true }), https: new TlsAgent({ keepAlive: true }) }
  return {
    async send(request, isFile) {
      const agent = request.url.protocol === 'https:' ? agents.https : agents.http
      const message = await guardedExchange(guard, { ...request, agent })
      const status = message.statusCode ?? 0
      const isSuccess = status >= 200 && status < 300
      return {
        status,
        headers: headersOf(message),
        body:
          isFile && isSuccess ? message : limited(message, isSuccess ? limits.maxAnswerBytes : limits.maxErrorBytes),
      }
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** The code that reads it sees its errors as well; before it does, they must not end the process. */
const limited = (message: IncomingMessage, maxBytes: number): Readable =>
  pipeline(message, byteLimit(maxBytes), () => undefined).on('error', () => undefined)

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
