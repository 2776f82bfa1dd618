import { expect, it } from 'vitest'
import { z } from 'zod'
import { sentenceFor } from './sentence.ts'

const refusalOf = (schema: z.ZodType, value: unknown) => sentenceFor(schema.safeParse(value).error!)

it('tells a field that the sender named in few words, and nothing that would steer a terminal', () => {
  const sentence = refusalOf(z.record(z.string(), z.number()), { [`\u001b[2J${'x'.repeat(1_000_000)}`]: 'text' })
  expect(sentence).toMatch(/^\[2Jx{200,300}…: Invalid input: expected number, received string\.$/)
})

it('shortens a message that repeats a value', () => {
  const sentence = refusalOf(
    z.string().refine(() => false, { error: ({ input }) => `${String(input)} is wrong` }),
    'y'.repeat(1_000_000),
  )
  expect(sentence.length).toBeLessThan(400)
})
