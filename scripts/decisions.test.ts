import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'docs/decisions')
const text = (file: string) => readFileSync(file, 'utf8')
const titleOf = (file: string) => /^# (.+)$/m.exec(text(file))?.[1]

const all = globSync(join(folder, '*.md')).toSorted()
const index = join(folder, 'README.md')
const chapters = all.filter((file) => file !== index)

it('lists every chapter in the index, under its title', () => {
  const missing = chapters.filter((file) => !text(index).includes(`- [${titleOf(file)}](${basename(file)}): `))
  expect(missing).toEqual([])
})

it('keeps at most 45 files, so that a new choice joins its subject', () => {
  expect(chapters.length + 1).toBeLessThanOrEqual(45)
})

it.each(chapters.map((file) => basename(file)))('%s is named by its topic and has a section per choice', (name) => {
  expect(name).toMatch(/^[a-z]+(-[a-z]+)*\.md$/)
  const lines = text(join(folder, name)).split('\n')
  const sections = lines.filter((line) => line.startsWith('## '))
  expect(sections.length).toBeGreaterThan(0)
  expect(new Set(sections).size).toBe(sections.length)
})
