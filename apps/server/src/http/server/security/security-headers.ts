import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'

/**
 * Helmet works its headers out anew at every request, though they never differ: a good part of a short answer's cost.
 * So it is asked once, and they are sent from then on.
 */
export async function securityHeaders(appUrl: string | undefined): Promise<OutgoingHttpHeaders> {
  const asked = Fastify()
  await asked.register(helmet, helmetOptions(appUrl))
  asked.get('/', (_request, reply) => reply.code(204).send())
  const { date: _date, connection: _connection, ...headers } = (await asked.inject('/')).headers
  await asked.close()
  return headers
}

function helmetOptions(appUrl: string | undefined): FastifyHelmetOptions {
  const isTls = appUrl?.startsWith('https://') ?? false
  return {
    // Told only over TLS: on plain http it would lock users out of their own machine's address.
    hsts: isTls && { maxAge: 31_536_000 },
    crossOriginEmbedderPolicy: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component library sets style attributes; scripts stay strict.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  }
}
