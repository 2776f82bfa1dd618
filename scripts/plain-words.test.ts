import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** From where a comment begins to the end of its line; lines inside a block comment begin with an asterisk. */
const COMMENT = /(?:^|\s)(?:\/\/|\{?\/\*\*?|\*)\s.*$/
const TITLE = /^\s*(?:(?:it|test|describe)\b[^'"`]*|\]\))\(?['"`].*$/

const ABSENT_PERSON = /\b(whoever|somebody|nobody|someone|no one|anybody)\b/i
const ONE_GENDER = /\b(he|him|his|himself)\b/i

/** A few are needed, such as the name of an operating system's unprivileged user. */
const MAX_ABSENT_PERSONS = 19

const proseIn = (line: string): string => COMMENT.exec(line)?.[0] ?? TITLE.exec(line)?.[0] ?? ''

const prose = globSync('{apps,packages,scripts,bench,e2e}/**/*.{ts,tsx,mjs,js,css}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
}).flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((line, i) => ({ place: `${file}:${i + 1}`, text: proseIn(line).trim() })),
)
const hits = (words: RegExp) =>
  prose.filter(({ text }) => words.test(text)).map(({ place, text }) => `${place}: ${text}`)

describe('comments and test titles', () => {
  it('are found in lines of source', () => {
    expect(proseIn('const wait = 5 // Seconds until the lease ends.')).toContain('Seconds')
    expect(proseIn('   * The second line of a block.')).toContain('second')
    expect(proseIn("  it('refuses a withdrawal above cash', () => {")).toContain('refuses')
    expect(proseIn("])('refuses %s', (sent) => {")).toContain('refuses')
    expect(proseIn("const name = 'a value'")).toBe('')
    expect(prose.filter(({ text }) => text !== '').length).toBeGreaterThan(5_000)
  })

  it('are about things, not about persons who are not there', () => {
    const found = hits(ABSENT_PERSON)
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(MAX_ABSENT_PERSONS)
  })

  it('call users "they"', () => {
    expect(hits(ONE_GENDER)).toEqual([])
  })
})
