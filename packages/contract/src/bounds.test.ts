import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { boundedRecord, freeRecord, VALUES_BELOW } from './bounds.ts'
import type { Route } from './route.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'answer' in value

async function routes(): Promise<Route[]> {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const modules = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ `${import.meta.dirname}/${file}`) as Promise<object>),
  )
  return modules.flatMap((module) => Object.values(module).filter(isRoute))
}

interface Node {
  readonly type?: string | string[]
  readonly $ref?: string
  readonly enum?: unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: Node
  readonly prefixItems?: Node[]
  readonly properties?: Record<string, Node>
  readonly additionalProperties?: Node | boolean
  readonly anyOf?: Node[]
  readonly oneOf?: Node[]
  readonly allOf?: Node[]
  readonly [VALUES_BELOW]?: number
}

/** The schema of a date or a time says its length by its pattern. */
const isFixedLength = (pattern = ''): boolean =>
  pattern.startsWith('^') && pattern.endsWith('$') && !/[+*]|,\}/.test(pattern)

/** What below a schema may be of any size, with the way to it. */
function unbounded(document: Node): string[] {
  const found: string[] = []
  const seen = new Set<Node>()
  const visit = (node: Node, at: string): void => {
    if (node.$ref !== undefined) {
      const path = node.$ref.split('/').slice(1)
      const target = path.reduce((part, key) => (part as Record<string, Node>)[key]!, document)
      return visit(target, at)
    }
    if (seen.has(node)) return
    seen.add(node)
    const types = [node.type ?? []].flat()
    const isChosen = node.enum !== undefined || node.const !== undefined
    if (types.includes('string') && !isChosen && node.maxLength === undefined && !isFixedLength(node.pattern)) {
      found.push(`${at}: text`)
    }
    if (types.includes('array')) {
      if (node.maxItems === undefined && !node.prefixItems) found.push(`${at}: array`)
      if (node.items) visit(node.items, `${at}[]`)
      for (const item of node.prefixItems ?? []) visit(item, `${at}[]`)
    }
    for (const [key, value] of Object.entries(node.properties ?? {})) visit(value, `${at}.${key}`)
    const more = node.additionalProperties
    if (typeof more === 'object') {
      if (node.maxProperties === undefined) found.push(`${at}: record`)
      if (node[VALUES_BELOW] === undefined) visit(more, `${at}{}`)
    }
    const choices = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]
    for (const choice of choices) visit(choice, at)
    if (types.length === 0 && choices.length === 0 && !isChosen) found.push(`${at}: anything`)
  }
  visit(document, '')
  return found
}

const documentOf = (schema: z.ZodType): Node =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown as Node

it('lets no call send a list, a record or a text without a maximum', async () => {
  const found = (await routes()).flatMap(({ method, path, params, query, body, upload }) =>
    Object.entries({ params, query, body, fields: upload?.fields }).flatMap(([part, schema]) =>
      schema ? unbounded(documentOf(schema)).map((where) => `${method} ${path} ${part}${where}`) : [],
    ),
  )
  expect([...new Set(found)]).toEqual([])
})

it.each([
  ['a list', z.object({ list: z.array(z.number()) })],
  ['a text', z.object({ text: z.string() })],
  ['a text of any length that is matched', z.object({ text: z.string().regex(/^a+$/) })],
  ['a record', z.record(z.string(), z.number())],
  ['a field of anything', z.object({ any: z.unknown() })],
  ['a list in a choice', z.object({ either: z.union([z.number(), z.array(z.string().max(3)).optional()]) })],
])('sees %s without a maximum', (_name, schema) => {
  expect(unbounded(documentOf(schema))).toHaveLength(1)
})

it('says how many entries a record may have', () => {
  const record = boundedRecord(z.string().max(5), z.number(), { max: 2, what: 'The weights' })
  expect(record.parse({ a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
  expect(record.safeParse({ a: 1, b: 2, c: 3 }).error!.issues[0]!.message).toBe(
    'The weights must have at most 2 entries.',
  )
})

it('refuses a record of anything with more below it than a form has', () => {
  const record = freeRecord('The config')
  expect(record.safeParse({ features: Array.from({ length: 1_000 }, (_, id) => ({ id, params: {} })) }).success).toBe(
    true,
  )
  expect(record.safeParse({ list: Array.from({ length: 30_000 }, () => 0) }).error!.issues[0]!.message).toBe(
    'The config has too many values.',
  )
  expect(record.safeParse({ text: 'x'.repeat(2_000_000) }).success).toBe(false)
})
