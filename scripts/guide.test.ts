import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { anchorOf, glossaryEntries } from '../packages/core/src/guide.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const pages = globSync('docs/guide/*.md', { cwd: root }).toSorted()
const entries = glossaryEntries(read('docs/glossary.md'))
const names = entries.flatMap((entry) => entry.names)

const linksOf = (file: string) =>
  [...read(file).matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href!).filter((href) => !/^https?:/.test(href))

const anchorsOf = (file: string) => [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))

it.each(globSync(['*.md', '{docs,packages,reference,fixtures}/**/*.md'], { cwd: root, exclude: ['**/node_modules'] }))(
  '%s has no dead link',
  (file) => {
    const dead = linksOf(file).filter((href) => {
      const [path = '', anchor = ''] = href.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      if (!existsSync(join(root, target))) return true
      return anchor !== '' && !anchorsOf(target).includes(anchor)
    })
    expect(dead).toEqual([])
  },
)

const developerPages = [
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/tour.md',
  ...globSync('docs/recipes/*.md', { cwd: root }),
]

it.each(developerPages)('%s names no file that is gone', (file) => {
  const named = [...read(file).matchAll(/`((?:apps|packages|scripts|reference|fixtures)\/[^`\s<>*:]+)`/g)]
  expect(named.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it.each(['README.md', 'docs/architecture.md'])('%s can be read in a diff', (file) => {
  expect(
    read(file)
      .split('\n')
      .filter((line) => line.length > 160),
  ).toEqual([])
})

describe('the guide', () => {
  it('is listed in its index, page by page', () => {
    const listed = linksOf('docs/guide/README.md').filter((href) => !href.startsWith('../'))
    expect(listed.toSorted()).toEqual(
      pages.map((page) => page.replace('docs/guide/', '')).filter((page) => page !== 'README.md'),
    )
  })
})

describe('the glossary', () => {
  it('has each name once', () => {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('has every term that a screen explains', () => {
    const used = globSync('apps/web/src/**/*.tsx', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/\bterm="([^"]+)"/g)].map(([, term]) => term!),
    )
    expect(used.length).toBeGreaterThan(20)
    expect(used.filter((term) => !names.includes(term.toLowerCase()))).toEqual([])
  })
})
