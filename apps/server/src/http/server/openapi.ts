import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { ErrorAnswer } from '@tradewright/contract/answers'
import { longListItem } from '@tradewright/contract/long-list'
import type { Route, Upload } from '@tradewright/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipBytes } from 'node:zlib'
import { z } from 'zod'

const DOCS_PATH = '/api/docs'

/** A declared route as the OpenAPI document shows it. Checking is done with the zod schemas themselves. */
export function openApiSchema(route: Route): FastifySchema {
  return {
    summary: route.summary,
    tags: [route.tag],
    ...(route.access !== 'anyone' && { security: [{ cookie: [] }, { bearer: [] }, ...keySecurity(route)] }),
    description: descriptionOf(route),
    ...(route.idempotent && { headers: IDEMPOTENCY_HEADER }),
    ...(route.params && { params: jsonSchema(route.params) }),
    ...(route.query && { querystring: jsonSchema(route.query) }),
    ...((route.encoding === 'multipart' || route.upload) && { consumes: ['multipart/form-data'] }),
    ...(route.body && { body: jsonSchema(route.body) }),
    ...(route.upload && { body: uploadSchema(route.upload) }),
    response: { 200: jsonSchema(route.answer), ...errorAnswers(route) },
  }
}

const keySecurity = ({ scope }: Route) => (scope === undefined ? [] : [{ apiKey: [] }])

const IDEMPOTENCY_HEADER = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      maxLength: 255,
      description: 'Repeated with the same body within 24 hours, the call returns its first answer and does nothing.',
    },
  },
}

function descriptionOf({ scope, access }: Route): string {
  if (scope === undefined) return 'Cannot be called with an API key.'
  if (scope === 'any key') return access === 'anyone' ? 'Public.' : 'Any API key may call it.'
  if (scope === 'trade') return 'API keys need the scope `trade-paper`, or `trade-live` where real money is traded.'
  return `API keys need the scope \`${scope}\`.`
}

interface FormSchema {
  properties?: object
  required?: readonly string[]
}

/** The text fields, and the file among them. */
function uploadSchema({ fields, file, maxBytes, description }: Upload): unknown {
  const form = jsonSchema(fields) as FormSchema
  const binary = { type: 'string', format: 'binary', maxLength: maxBytes, description }
  return { ...form, properties: { ...form.properties, [file]: binary }, required: [...(form.required ?? []), file] }
}

const ERROR_ANSWER = 'ErrorAnswer'

/** Refusals of a call, beside its own refusals of the kinds that have no line here. */
function errorAnswers({ access, params, query, body, upload }: Route): Record<string, unknown> {
  const sentences: Record<string, string | false> = {
    400: (params || query || body || upload) !== undefined && 'The request is not valid; the sentence says why.',
    401: access !== 'anyone' && 'There is no session, or it has ended; the API key is unknown, revoked or expired.',
    403: 'The API key may not do this, the request comes from another site, or its host name is not allowed.',
    404: params !== undefined && 'It does not exist, or it belongs to another user.',
    413: (body || upload) !== undefined && 'The request is too large.',
    429: 'Too many requests or too much work at once; Retry-After says when to retry.',
    503: 'A required service cannot be reached right now; try again later.',
    default: 'Any other refusal.',
  }
  const given = Object.entries(sentences).filter(([, sentence]) => sentence !== false)
  return Object.fromEntries(given.map(([status, description]) => [status, { description, $ref: `${ERROR_ANSWER}#` }]))
}

function jsonSchema(schema: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: asList })
  return rest
}

/** A long list is validated by hand, but it is an array like any other in the document. */
function asList({ zodSchema, jsonSchema: document }: { zodSchema: object; jsonSchema: object }): void {
  const item = longListItem(zodSchema)
  if (item) Object.assign(document, { type: 'array', items: jsonSchema(item) })
}

/** Publishes the declared routes at /api/docs: the document itself for programs, a page to read for browsers. */
export async function publishOpenApi(app: FastifyInstance, sessionCookie: string): Promise<void> {
  await app.register(swagger, {
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, i) => (typeof $id === 'string' ? $id : `def-${i}`),
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tradewright',
        version: 'v1',
        description:
          'Every call that the web app makes. Below `/api/v1` the same calls are kept compatible for programs; docs/api.md of the project has examples.',
      },
      components: {
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session.' },
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of Settings: `tw_…`.' },
        },
      },
    },
  })
  app.addSchema({ $id: ERROR_ANSWER, ...(jsonSchema(ErrorAnswer) as object) })
  const documents = {
    plain: builtOnce(() => app.swagger()),
    versioned: builtOnce(() => versioned(app.swagger())),
  }
  const documentFor = ({ originalUrl }: FastifyRequest) =>
    originalUrl.startsWith('/api/v1') ? documents.versioned() : documents.plain()
  // The page's own addresses of the document, which would write it out for each request.
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === `${DOCS_PATH}/ui/json`) await sendBuilt(request, reply, await documentFor(request))
    if (request.routeOptions.url === `${DOCS_PATH}/ui/yaml`) await reply.redirect(DOCS_PATH)
  })
  await app.register(swaggerUi, { routePrefix: `${DOCS_PATH}/ui`, staticCSP: true })
  app.get(DOCS_PATH, { schema: { hide: true } }, async (request, reply) => {
    if (request.headers.accept?.includes('text/html')) return reply.redirect(`${DOCS_PATH}/ui`)
    return sendBuilt(request, reply, await documentFor(request))
  })
}

interface BuiltDocument {
  readonly etag: string
  readonly encoded: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>
}

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** A megabyte that is the same for everybody: written and compressed when it is first asked for, and kept. */
function builtOnce(build: () => object): () => Promise<BuiltDocument> {
  let built: Promise<BuiltDocument> | undefined
  const make = async (): Promise<BuiltDocument> => {
    const identity = Buffer.from(JSON.stringify(build()))
    const [br, gzip] = await Promise.all([promisify(brotliCompress)(identity, BROTLI), promisify(gzipBytes)(identity)])
    return { etag: `"${hash('sha256', identity, 'base64url').slice(0, 27)}"`, encoded: { br, gzip, identity } }
  }
  return () => (built ??= make())
}

async function sendBuilt(request: FastifyRequest, reply: FastifyReply, { etag, encoded }: BuiltDocument) {
  const { 'accept-encoding': accepted = '', 'if-none-match': known } = request.headers
  const encoding = (['br', 'gzip'] as const).find((one) => new RegExp(`\\b${one}\\b(?!;q=0(?![.1-9]))`).test(accepted))
  void reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
  if (known?.includes(etag)) return reply.code(304).send()
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.type('application/json; charset=utf-8').send(encoded[encoding ?? 'identity'])
}

/** The document as it is asked for below `/api/v1`: with the paths that programs use. */
function versioned(document: ReturnType<FastifyInstance['swagger']>): object {
  const { paths = {}, ...rest } = document as { paths?: Record<string, unknown> }
  const own = Object.entries(paths).map(([path, item]) => [path.replace(/^\/api\//, '/api/v1/'), item])
  return { ...rest, paths: Object.fromEntries(own) as object }
}
