import fastifyStatic from '@fastify/static'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { answerProblem } from './problem-response.ts'

/** Serves the built web app. Every path that is no file and no call is a screen, so it gets the app's page. */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
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
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isScreen(request)) return reply.sendFile('index.html')
    return answerProblem(notFound(request), request, reply)
  })
}

/** Files under /assets have their content's hash in the name; everything else must be asked for again. */
function cacheControl(path: string): string {
  return path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function isScreen({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0]!
  const isFile = /\.[a-z0-9]+$/i.test(path)
  return (
    (method === 'GET' || method === 'HEAD') &&
    !isCall(path) &&
    !isFile &&
    (headers.accept ?? '*/*') !== 'application/json'
  )
}

function isCall(path: string): boolean {
  return path === '/api' || path.startsWith('/api/')
}

function notFound({ method, url }: FastifyRequest): Problem {
  return new Problem('missing', 'route.unknown', `There is nothing at ${method} ${url.split('?', 1)[0]}.`)
}
