import fastifyStatic from '@fastify/static'
import { isScreenPath } from '@tradewright/contract/screens'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answerProblem } from '../answer/problem-response.ts'

/** Whether there is a shared result behind a token. Throws a Problem where the address asks too often. */
type IsShared = (token: string, address: string) => Promise<boolean>

/**
 * Serves the built web app. A screen's path gets the app's page; so does a path that nothing is known about, which the
 * app explains, but with the status 404.
 */
export async function serveWebApp(app: FastifyInstance, folder: string, isShared: IsShared): Promise<void> {
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
      if (token !== undefined) void reply.header('x-robots-tag', 'noindex')
      const isThere = token === undefined ? isScreenPath(pathOf(request)) : await isShared(token, request.ip)
      return isThere ? reply.sendFile('index.html') : sendUnknownPage(reply, folder)
    }
    return answerProblem(notFound(request), request, reply)
  })
}

/** Files under /assets have their content's hash in the name; everything else must be asked for again. */
function cacheControl(path: string): string {
  return path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/** Not by the file server: a browser that has the page already would be answered without one. */
async function sendUnknownPage(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  return reply.code(404).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page)
}

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
