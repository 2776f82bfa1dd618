import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { ErrorAnswer } from '@tradewright/contract/answers'
import { longListItem } from '@tradewright/contract/long-list'
import type { Route } from '@tradewright/contract/route'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { z } from 'zod'

const DOCS_PATH = '/api/docs'

/** A declared route as the OpenAPI document shows it. Checking is done with the zod schemas themselves. */
export function openApiSchema(route: Route): FastifySchema {
  return {
    summary: route.summary,
    tags: [route.tag],
    ...(route.access === 'signed in' && { security: [{ cookie: [] }, { bearer: [] }] }),
    ...(route.params && { params: jsonSchema(route.params) }),
    ...(route.query && { querystring: jsonSchema(route.query) }),
    ...(route.encoding === 'multipart' && { consumes: ['multipart/form-data'] }),
    ...(route.body && { body: jsonSchema(route.body) }),
    response: { 200: jsonSchema(route.answer), default: jsonSchema(ErrorAnswer) },
  }
}

function jsonSchema(schema: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: asList })
  return rest
}

/** A long list is checked by hand, but it is an array like any other to whoever reads the document. */
function asList({ zodSchema, jsonSchema: document }: { zodSchema: object; jsonSchema: object }): void {
  const item = longListItem(zodSchema)
  if (item) Object.assign(document, { type: 'array', items: jsonSchema(item) })
}

/** Publishes the declared routes at /api/docs: the document itself for programs, a page to read for browsers. */
export async function publishOpenApi(app: FastifyInstance, sessionCookie: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Tradewright', version: '0.1.0', description: 'Every call that the web app makes.' },
      components: {
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
    },
  })
  await app.register(swaggerUi, { routePrefix: `${DOCS_PATH}/ui`, staticCSP: true })
  app.get(DOCS_PATH, { schema: { hide: true } }, (request, reply) => {
    if (request.headers.accept?.includes('text/html')) return reply.redirect(`${DOCS_PATH}/ui`)
    return reply.send(app.swagger())
  })
}
