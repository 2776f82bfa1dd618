import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { OUTGOING_EVENTS } from './outgoing-events.ts'

const doc = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')

it.each(OUTGOING_EVENTS)('docs/api.md has $id with its example', ({ id, example }) => {
  const row = doc.split('\n').find((line) => line.startsWith(`| \`${id}\``))
  expect(JSON.parse(/\| `(\{.*\})`/.exec(row ?? '')?.[1] ?? 'null')).toEqual(example)
})
