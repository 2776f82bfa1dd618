import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { Sentence } from './answers.ts'
import type { Route } from './route.ts'

/** Names under which answers have words for people. */
const NAMES =
  /^(notes?|sentences?|problems?|reasons?|messages?|summary|warnings?|failure|error|hint|obstacle|notices|.*_(reason|problem|notes?|message|failure))$/

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'answer' in value

it('gives words for people the type of a sentence in every answer, so that their dates are written as the user chose', async () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((name) => !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((name) => import(join(import.meta.dirname, name)) as Promise<object>))
  const routes = modules.flatMap((module) => Object.values(module) as unknown[]).filter(isRoute)
  expect(routes.length).toBeGreaterThan(100)
  const plain = routes.flatMap(({ method, path, answer }) =>
    plainTexts(answer).map((field) => `${method} ${path}: ${field}`),
  )
  expect(plain).toEqual([])
})

function plainTexts(schema: z.core.$ZodType, name = '', seen = new Set<z.core.$ZodType>()): string[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const parts = (of: z.core.$ZodType, at = name) => plainTexts(of, at, new Set(seen))
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, part]) => parts(part, key))
  if (schema instanceof z.ZodArray) return parts(schema.element)
  if (schema instanceof z.ZodRecord) return parts(schema.valueType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => parts(option))
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return parts(schema.unwrap())
  return schema instanceof z.ZodString && schema !== Sentence && NAMES.test(name) ? [name] : []
}
