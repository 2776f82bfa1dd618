import fastifyStatic from '@fastify/static'
import { isScreenPath } from '@tradewright/contract/screens'
import { SHARED_PATH, SHARED_PICTURE } from '@tradewright/contract/shared-results'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escaped, PICTURE_SIZE } from '../../backtests/shared-picture/draw.ts'
import { answerProblem } from '../answer/problem-response.ts'

/** The shared result behind a token. Throws a Problem where the address asks too often. */
type FindShared = (token: string, address: string) => Promise<{ readonly title: string } | undefined>

/**
 * Serves the built web app. A screen's path gets the app's page; so does a path that nothing is known about, which the
 * app explains, but with the status 404.
 */
export async function serveWebApp(app: FastifyInstance, folder: string, findShared: FindShared): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      // Dot files (the build's stamp) are not for visitors.
      dotfiles: 'ignore',
      cacheControl: false,
      // The build compresses its scripts and style sheets.
      preCompressed: true,
      setHeaders: (reply, path) => void reply.header('cache-control', cacheControl(path.slice(folder.length))),
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (isBuilt && wantsPage(request)) {
      const token = sharedToken(pathOf(request))
      if (token !== undefined) {
        void reply.header('x-robots-tag', 'noindex')
        const shared = await findShared(token, request.ip)
        if (shared)
          return sendPage(reply, 200, withPreview(await pageIn(folder), shared.title, addressOf(request, token)))
      } else if (isScreenPath(pathOf(request))) return reply.sendFile('index.html')
      return sendPage(reply, 404, await pageIn(folder))
    }
    return answerProblem(notFound(request), request, reply)
  })
}

/** Files under /assets have their content's hash in the name; everything else must be asked for again. */
function cacheControl(path: string): string {
  return path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

const pageIn = (folder: string): Promise<string> => readFile(join(folder, 'index.html'), 'utf8')

/** Not by the file server: a browser that has the page already would be answered without one. */
const sendPage = (reply: FastifyReply, code: number, page: string): FastifyReply =>
  reply.code(code).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page)

/** The tags that messengers and social networks read, which run no scripts. */
function withPreview(page: string, title: string, address: string): string {
  const tags = [
    ['og:type', 'website'],
    ['og:site_name', 'Tradewright'],
    ['og:title', title],
    ['og:description', 'A shared backtest: figures, charts, settings and data sources.'],
    ['og:url', address],
    ['og:image', `${address}/${SHARED_PICTURE}`],
    ['og:image:width', String(PICTURE_SIZE.width)],
    ['og:image:height', String(PICTURE_SIZE.height)],
    ['twitter:card', 'summary_large_image'],
  ].map(([name, content]) => `<meta property="${name}" content="${escaped(content!)}" />`)
  // A function: `$` in a name would be read as a pattern.
  return page.replace('</head>', () => `${tags.join('\n    ')}\n  </head>`)
}

/** As the visitor named this host, which was checked against the known ones. */
const addressOf = ({ protocol, host }: FastifyRequest, token: string): string =>
  `${protocol}://${host}${SHARED_PATH}${token}`

function wantsPage(request: FastifyRequest): boolean {
  const { method, headers } = request
  const path = pathOf(request)
  const isFile = /\.[a-z0-9]+$/i.test(path) || path.startsWith('/assets/')
  return (
    (method === 'GET' || method === 'HEAD') &&
    !isCall(path) &&
    (!isFile || isScreenPath(path)) &&
    (headers.accept ?? '*/*') !== 'application/json'
  )
}

const sharedToken = (path: string): string | undefined => /^\/shared\/([^/]+)\/?$/i.exec(path)?.[1]

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!

function isCall(path: string): boolean {
  return path === '/api' || path.startsWith('/api/')
}

function notFound(request: FastifyRequest): Problem {
  return new Problem('missing', 'route.unknown', `There is nothing at ${request.method} ${pathOf(request)}.`)
}
