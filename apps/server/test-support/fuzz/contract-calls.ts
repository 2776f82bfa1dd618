import { GOOGLE_CALLBACK_PATH, GOOGLE_LOGIN_PATH } from '@tradewright/contract/auth'
import { EVENTS_PATH, EVENTS_SCOPE } from '@tradewright/contract/events'
import type { Route } from '@tradewright/contract/route'
import { DATA_EXPORT_PATH, DATA_EXPORT_SCOPE } from '@tradewright/contract/collected-data'
import { PORTFOLIO_EXPORT_PATH, PORTFOLIO_EXPORT_SCOPE } from '@tradewright/contract/tax-lots'
import { USER_DATA_PATH } from '@tradewright/contract/user-data'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../../src/config.ts'

/** The part of JSON Schema that the contract's schemas come to. */
export interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

/** A call of the contract with its request as JSON Schema, which is plain to walk. */
export interface ContractCall {
  /** Method and path: `GET /api/strategies/:id`. */
  readonly id: string
  readonly method: Route['method']
  readonly path: string
  readonly access: Route['access']
  readonly scope?: Route['scope']
  readonly addsRows?: true
  readonly isMultipart: boolean
  readonly params?: JsonSchema
  readonly query?: JsonSchema
  readonly body?: JsonSchema
}

const link = (path: string, access: Route['access'], scope?: Route['scope']): ContractCall => ({
  id: `GET ${path}`,
  method: 'GET',
  path,
  access,
  ...(scope && { scope }),
  isMultipart: false,
})

/** Pages that browsers open without a declared route. */
const LINKS = [
  link(EVENTS_PATH, 'signed in', EVENTS_SCOPE),
  link(USER_DATA_PATH, 'signed in'),
  link(PORTFOLIO_EXPORT_PATH, 'signed in', PORTFOLIO_EXPORT_SCOPE),
  link(DATA_EXPORT_PATH, 'signed in', DATA_EXPORT_SCOPE),
  link(GOOGLE_LOGIN_PATH, 'anyone'),
  link(GOOGLE_CALLBACK_PATH, 'anyone'),
]

/** Every call that a file of the contract declares, so that a new one is found by itself. In the order of their ids. */
export async function contractCalls(): Promise<ContractCall[]> {
  const folder = join(projectFolder, 'packages/contract/src')
  const files = globSync('*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
  const modules = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ join(folder, file)) as Promise<Record<string, unknown>>),
  )
  const calls = modules.flatMap((module) => Object.values(module).filter(isRoute).map(toCall))
  // Some calls are declared a second time, as a browser reads them.
  return [...new Map([...calls, ...LINKS].map((call) => [call.id, call])).values()].toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  )
}

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'answer' in value

const toCall = ({
  method,
  path,
  access,
  scope,
  addsRows,
  params,
  query,
  body,
  encoding,
  upload,
}: Route): ContractCall => ({
  id: `${method} ${path}`,
  method,
  path,
  access,
  ...(scope && { scope }),
  ...(addsRows && { addsRows }),
  isMultipart: encoding !== undefined || upload !== undefined,
  ...(params && { params: schemaOf(params) }),
  ...(query && { query: schemaOf(query) }),
  ...(body && { body: schemaOf(body) }),
  ...(upload && { body: schemaOf(upload.fields) }),
})

const schemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
