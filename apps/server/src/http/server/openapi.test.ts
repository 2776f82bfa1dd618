import type { Route } from '@tradewright/contract/route'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedTestApp } from '../../../test-support/test-app.ts'
import { projectFolder } from '../../config.ts'

interface Schema {
  type?: string
  properties?: Record<string, object>
  required?: string[]
}

interface Operation {
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: { $ref?: string } }> }>
}

interface Document {
  openapi: string
  info: object
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'answer' in value

/** Every call that the contract declares. */
async function declaredRoutes(): Promise<Route[]> {
  const folder = join(projectFolder, 'packages', 'contract', 'src')
  const files = globSync('*.ts', { cwd: folder }).filter((name) => !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((name) => import(join(folder, name)) as Promise<object>))
  return modules.flatMap((module) => Object.values(module) as unknown[]).filter(isRoute)
}

describe('the published OpenAPI document', () => {
  let document: Document
  let routes: Route[]
  beforeAll(async () => {
    const server = await sharedTestApp()
    document = (await server.app.inject('/api/docs')).json<Document>()
    routes = await declaredRoutes()
  })

  it('is built and compressed once, and is not sent again to a client that has it', async () => {
    const { app } = await sharedTestApp()
    for (const url of ['/api/docs', '/api/v1/docs', '/api/docs/ui/json']) {
      const headers = { 'accept-encoding': 'gzip, br' }
      const first = await app.inject({ url, headers })
      expect([first.statusCode, first.headers['content-encoding']], url).toEqual([200, 'br'])
      expect(first.rawPayload.length).toBeLessThan(120_000)
      const again = await app.inject({ url, headers: { ...headers, 'if-none-match': String(first.headers['etag']) } })
      expect([again.statusCode, again.payload], url).toEqual([304, ''])
      const third = await app.inject({ url, headers })
      expect([third.headers['etag'], third.rawPayload.equals(first.rawPayload)], url).toEqual([
        first.headers['etag'],
        true,
      ])
    }
    expect((await app.inject({ url: '/api/docs', headers: { 'accept-encoding': 'identity' } })).json()).toEqual(
      document,
    )
  })

  const operationOf = ({ method, path }: Route) =>
    document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  const nameOf = ({ method, path }: Route) => `${method} ${path}`

  it('has every call of the contract', () => {
    expect(routes.length).toBeGreaterThan(100)
    expect(routes.filter((route) => !operationOf(route)).map(nameOf)).toEqual([])
  })

  it('describes every request body with all its fields, and invents none', () => {
    for (const route of routes) {
      const content = operationOf(route)?.requestBody?.content
      const type = route.upload || route.encoding === 'multipart' ? 'multipart/form-data' : 'application/json'
      expect(Object.keys(content ?? {}), nameOf(route)).toEqual(route.body || route.upload ? [type] : [])
      const { properties = {} } = content?.[type]?.schema ?? {}
      const undescribed = Object.entries(properties).filter(([, field]) => Object.keys(field).length === 0)
      expect(undescribed, nameOf(route)).toEqual([])
    }
  })

  it('describes the file of an upload, its limits and the fields beside it', () => {
    const upload = routes.find((route) => route.upload)!
    const { schema } = operationOf(upload)!.requestBody!.content['multipart/form-data']!
    expect(schema.required).toEqual(['ticker', 'file'])
    const fields = ['ticker', 'granularity', 'columns', 'known_after_days', 'currency', 'store', 'file']
    expect(Object.keys(schema.properties!)).toEqual(fields)
    expect(schema.properties!['file']).toMatchObject({
      type: 'string',
      format: 'binary',
      maxLength: 64 * 1024 * 1024,
      description: expect.stringContaining('2,000,000 rows') as string,
    })
  })

  it('tells of each call how it is refused', () => {
    for (const route of routes) {
      const { responses } = operationOf(route)!
      const expected = ['200', '403', '429', '503', 'default']
      if (route.access !== 'anyone') expected.push('401')
      if (route.body || route.upload) expected.push('400', '413')
      expect(Object.keys(responses), nameOf(route)).toEqual(expect.arrayContaining(expected))
      const refusals = Object.entries(responses).filter(([status]) => status !== '200')
      for (const [, { content }] of refusals) {
        expect(content!['application/json']!.schema.$ref).toBe('#/components/schemas/ErrorAnswer')
      }
    }
  })

  it('holds nothing but valid JSON Schema', () => {
    const ajv = new Ajv2020({ strict: false, formats: { binary: true } })
    addFormats.default(ajv)
    for (const schema of [...schemasIn(document.paths), ...Object.values(document.components.schemas)]) {
      if (ajv.validateSchema(schema) !== true) throw new Error(`${ajv.errorsText()}: ${JSON.stringify(schema)}`)
    }
  })
})

/** The schemas of parameters, bodies and answers. */
function schemasIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  const parts = Object.entries(value as Record<string, unknown>)
  return parts.flatMap(([key, part]) => (key === 'schema' ? [part as object] : schemasIn(part)))
}
