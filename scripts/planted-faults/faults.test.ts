import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { faults } from './faults.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

it.each(faults)('$id can be planted: its text stands once in $file', ({ file, find, replace }) => {
  expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})

it('names each of the 80 faults once', () => {
  expect(faults).toHaveLength(80)
  expect(new Set(faults.map(({ id }) => id)).size).toBe(80)
})
