import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/decisions')
const files = globSync(join(folder, '[0-9]*.md')).sort()

it('lists every decision in the index, under its title', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  const missing = files.filter((file) => {
    const title = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]
    return !index.includes(`[${basename(file).slice(0, 4)} ${title}](${basename(file)})`)
  })
  expect(missing).toEqual([])
})

it('numbers each decision once', () => {
  const numbers = files.map((file) => basename(file).slice(0, 4))
  expect(new Set(numbers).size).toBe(numbers.length)
})
