import { createServer, type Server } from 'node:http'
import type { Metrics } from '../../observe/metrics.ts'
import { isToken, METRICS_PATH } from './metrics.ts'

interface WorkerEndpoints {
  readonly isUp: () => Promise<boolean>
  readonly isReady: () => Promise<boolean>
  /** Undefined where the operator has set no token. */
  readonly metrics: { readonly source: Metrics; readonly token: string } | undefined
}

/** A worker answers no calls of users: these are the three paths by which it is watched. */
export function serveWorkerEndpoints({ isUp, isReady, metrics }: WorkerEndpoints): Server {
  const status = async (is: () => Promise<boolean>) => {
    const isTrue = await is()
    return { code: isTrue ? 200 : 503, body: JSON.stringify({ status: isTrue ? 'ok' : 'unavailable' }) }
  }
  const answer = async (path: string, sent: string | undefined) => {
    if (path === '/health') return status(isUp)
    if (path === '/ready') return status(isReady)
    if (path === METRICS_PATH && metrics && isToken(sent, metrics.token)) {
      return { code: 200, body: await metrics.source.text(), type: metrics.source.contentType }
    }
    return { code: 404, body: '{"status":"unknown"}' }
  }
  return createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0]!
    const sent = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    answer(isRead ? path : '', sent)
      .then(({ code, body, type = 'application/json' }: { code: number; body: string; type?: string }) =>
        response.writeHead(code, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      )
      .catch(() => response.writeHead(500).end())
  })
}
