import { Problem } from '@tradewright/core/problem'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:zlib'
import type { Logger } from '../../log.ts'
import { excessOfText } from '../input/storable.ts'
import { acceptForms } from '../input/multipart.ts'
import { answerProblem } from '../answer/problem-response.ts'
import { securityHeaders } from './security/security-headers.ts'
import { keepSignedBody } from './security/signed-body.ts'
import { answerUnreadable } from './unreadable-request.ts'

interface AppSettings {
  log: Logger
  /** The address users see, when the operator configured one. */
  appUrl: string | undefined
  /** Addresses or networks of proxies whose word about the visitor's address counts. */
  trustedProxies?: readonly string[]
}

const BODY_LIMIT_BYTES = 1024 * 1024
/** The time in which a request must have arrived as a whole; the largest upload (64 MB) needs 1.7 Mbit/s. */
const REQUEST_TIMEOUT_MS = 300_000

const MAX_LISTENERS = 20

/**
 * A result of 33 years has 1.8 MB and waits for this: 35 ms and 479 kB instead of 120 ms and 356 kB with Brotli, 45 ms and
 * 550 kB instead of 200 ms and 546 kB with gzip. What the build has is compressed there, as well as it can be.
 */
const QUICK_COMPRESSION = {
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  zlibOptions: { level: 4 },
}

/**
 * The bare application: security headers, cookies, compression, logs and error answers. Areas add their routes to it.
 */
export async function createApp({ log, appUrl, trustedProxies = [] }: AppSettings): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance,
    // One line per answer, written below: without the query, which may carry sign-in codes.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A configured address means a proxy on this machine in front of us. Any other one has to be named.
    trustProxy: [...(appUrl ? ['loopback'] : []), ...trustedProxies],
    rewriteUrl: ({ url = '/' }) => unversioned(url),
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: true,
    // A process that closes goes on answering until it closes its port; see drain.ts.
    return503OnClosing: false,
    clientErrorHandler: answerUnreadable,
    // Refusals of the router itself, such as a path that cannot be decoded.
    frameworkErrors: (error, request, reply) => void answerProblem(error, request, reply),
  })
  // Requests are checked with the contract's schemas in `handle`; these two keep the framework from doing it again.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  app.setErrorHandler(answerProblem)
  acceptEmptyJson(app)
  await acceptForms(app)
  await app.register(cookie)
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], ...QUICK_COMPRESSION })
  if (!appUrl && trustedProxies.length === 0) warnOfUnknownProxy(app)
  const headers = await securityHeaders(appUrl)
  app.addHook('onRequest', (request, reply, next) => {
    // An answer from a file has more listeners, of Fastify, of its plugins and of ours, than Node takes to be right.
    reply.raw.setMaxListeners(MAX_LISTENERS)
    void reply.headers(headers).header('x-request-id', request.id)
    next()
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request
    const line = {
      method,
      // Neither codes in the query nor tokens of shared results and records or addresses for signals belong into a log.
      path: url.split('?', 1)[0]!.replace(/\/(shared|signals|records)\/[^/]+/i, (part) => `/${part.split('/')[1]!}/…`),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      route: request.routeOptions.url ?? 'unknown',
    }
    request.log[reply.statusCode >= 500 ? 'error' : 'debug'](line, 'request')
  })
  return app
}

/** `/api/v1/…` is `/api/…`. The second number would get files of its own. */
const unversioned = (url: string): string => url.replace(/^\/api\/v1(?=[/?]|$)/, '/api')

/** All visitors then share the proxy's address, and with it the limits of an address. */
function warnOfUnknownProxy(app: FastifyInstance): void {
  let isTold = false
  app.addHook('onRequest', (request, _reply, next) => {
    if (!isTold && request.headers['x-forwarded-for'] !== undefined) {
      isTold = true
      app.log.warn('a proxy passes requests on, but TRUSTED_PROXIES names none: all visitors count as one address')
    }
    next()
  })
}

/** Calls without a body may still say that it is JSON; an empty one is not an error. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    const excess = excessOfText(bytes as Buffer)
    if (excess) return done(new Problem('invalid', 'request.excess', `The request ${excess}.`))
    const body = bytes.toString()
    keepSignedBody(request, body)
    void parse(request, body, done)
  })
}
