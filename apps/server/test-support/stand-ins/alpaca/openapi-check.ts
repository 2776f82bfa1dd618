import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { hasShared, readSharedJson } from '../../../../../scripts/shared-data.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'

const FILE = 'reference/services/openapi/alpaca-trading-core.json'

type Json = Record<string, unknown>
interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Json
}
interface Operation {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: { 'application/json': { schema: Json } } }
  responses: Record<string, { content?: { 'application/json'?: { schema?: Json } } }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

/** Sentences about what the published description does not allow; none where all is well. */
interface OpenApiCheck {
  request(request: StandInRequest): string[]
  answer(request: StandInRequest, answer: StandInAnswer): string[]
}

let shared: OpenApiCheck | undefined

/**
 * Compares traffic with Alpaca's own description; where that file is absent, nothing is checked, and it says so once. All
 * stand-ins share one: to compile the description takes longer than most tests that need a stand-in.
 */
export function openApiCheck(): OpenApiCheck {
  return (shared ??= hasShared(FILE) ? checkAgainst(readSharedJson<Document>(FILE)) : noCheck())
}

function noCheck(): OpenApiCheck {
  process.stderr.write(`Calls to the Alpaca stand-in are not checked: ${FILE} is absent.\n`)
  return { request: () => [], answer: () => [] }
}

function checkAgainst(document: Document): OpenApiCheck {
  const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false })
  addFormats.default(ajv)
  ajv.addFormat('decimal', true)
  ajv.addSchema(document, 'alpaca')
  const compiled = new Map<Json, ValidateFunction>()
  const problemsOf = (schema: Json, value: unknown, where: string): string[] => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema))
    compiled.set(schema, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${where}${instancePath} ${message}`)
  }

  const operationOf = ({ method, path }: StandInRequest): Operation | undefined => {
    const template = Object.keys(document.paths)
      .filter((one) => new RegExp(`^${one.replaceAll(/\{[^}]+\}/g, '.+')}$`).test(path))
      .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')) || b.length - a.length)[0]
    return template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()]
  }

  return {
    request(request) {
      const operation = operationOf(request)
      const line = `${request.method} ${request.path}`
      if (!operation) return [`${line} is no call of Alpaca's`]
      const parameters = (operation.parameters ?? []).map((one) =>
        '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1)!]! : one,
      )
      const known = parameters.filter((one) => one.in === 'query')
      const unknown = [...request.query.keys()].filter((name) => !known.some((one) => one.name === name))
      const missing = known.filter(({ name, required }) => required && !request.query.has(name))
      const wrong = known.flatMap(({ name, schema }) =>
        request.query.has(name)
          ? problemsOf(schema, queryValue(request.query.get(name)!, schema), `${line}?${name}`)
          : [],
      )
      const body = operation.requestBody?.content['application/json'].schema
      return [
        ...unknown.map((name) => `${line} has no parameter ${name}`),
        ...missing.map(({ name }) => `${line} needs the parameter ${name}`),
        ...wrong,
        ...(body ? problemsOf(body, JSON.parse(request.body), `${line} body`) : []),
      ]
    },
    answer(request, { status = 200, body }) {
      const schema = operationOf(request)?.responses[String(status)]?.content?.['application/json']?.schema
      return schema ? problemsOf(schema, body, `answer to ${request.method} ${request.path}`) : []
    },
  }
}

/** References inside the document, seen from outside it. */
const absolute = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"alpaca#/components/')) as Json

/** Query values are text; the schema says what they stand for. */
function queryValue(text: string, schema: Json): unknown {
  if (schema['type'] === 'array') return text.split(',')
  if (schema['type'] === 'integer' || schema['type'] === 'number') return Number(text)
  if (schema['type'] === 'boolean') return text === 'true'
  return text
}
