import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** From where a comment begins to the end of its line; lines inside a block comment begin with an asterisk. */
const COMMENT = /(?:^|\s)(?:\/\/|\{?\/\*\*?|\*)\s.*$/
const TITLE = /^\s*(?:(?:it|test|describe)\b[^'"`]*|\]\))\(?['"`].*$/

const ABSENT_PERSON = /\b(whoever|somebody|nobody|someone|no one|anybody)\b/i
/** "Of a stop: what becomes of it" leaves out its noun: it can be read only together with the line below. */
const MISSING_NOUN = /^(?:\/\/|\{?\/\*\*?|\*)\s+Of\b/
const ONE_GENDER = /\b(he|him|his|himself)\b/i

/** A few are needed, such as the name of an operating system's unprivileged user. */
const MAX_ABSENT_PERSONS = 19

/** Private words for what the field has a name for, and names that mean something else in trading. */
const PRIVATE_NAMES =
  /\b(arenas?|desk(?=\.)|\w*Desk|BacktestOrder|runOrder|orderBacktest|StudyOrder|ConstructionOrder|(?:MOST|LEAST|FEWEST)(?:_\w+)?|\w+_EVERY|EVERY_MS|\w+_KEPT|KEPT(?:_MS)?)\b/
const PRIVATE_FILES =
  /\/(?:[a-z-]*-)?(?:arena|luck|door|twin|heard|glance|remembered|gathered|thin|why|how|mail-carrier|when-left|staircase|outside-news|unread|desk)(?:\.[a-z-]+)*\.(?:ts|tsx|css)$/

/** Methods of ports and stores: a fill is an execution, and `take` does not say whether a row is claimed, read or removed. */
const PORTS = /\/ports(?:\/[a-z-]+)?\.ts$|\/server\/src\/stores\/(?:live-trading\/)?[a-z-]+\.ts$/
const VAGUE_METHODS = /^ +(?:async )?(?:take|fill)(?=[A-Z(])\w*\(/

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

  it('begin with what they are about', () => {
    expect(MISSING_NOUN.test('/** Of the newest model, by feature. */')).toBe(true)
    expect(MISSING_NOUN.test('// Of one account.')).toBe(true)
    expect(MISSING_NOUN.test('// Offers that have ended.')).toBe(false)
    expect(hits(MISSING_NOUN)).toEqual([])
  })

  it('call users "they"', () => {
    expect(hits(ONE_GENDER)).toEqual([])
  })
})

describe('names', () => {
  const files = globSync('{apps,packages,scripts,bench,e2e}/**/*.{ts,tsx,mjs,css}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.wasm.ts', 'scripts/plain-words.test.ts'],
  }).map((file) => file.replaceAll('\\', '/'))

  it('are those of the field', () => {
    const found = files.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => PRIVATE_NAMES.test(line) && !COMMENT.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })

  it('of what a store does say what becomes of a row', () => {
    expect(VAGUE_METHODS.test('  takeDue(now: Date): Promise<void>')).toBe(true)
    const ports = files.filter((file) => PORTS.test(file))
    expect(ports.length).toBeGreaterThan(20)
    const found = ports.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => VAGUE_METHODS.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })

  it('of files say what is inside', () => {
    expect(files.filter((file) => PRIVATE_FILES.test(file))).toEqual([])
  })
})
