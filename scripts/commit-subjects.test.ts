import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commitScopes, subjectFault } from './commit-subjects.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const scopes = commitScopes(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))

/** The last commit before the list of scopes; earlier subjects have other forms. */
const LAST_UNCHECKED = '2b02251fd563a3dc071159dd2ba6c8fe7cb1752e'

/** Undefined in a source archive and in a shallow clone. */
function subjectsSince(commit: string): string[] | undefined {
  try {
    const log = execFileSync('git', ['log', '--no-merges', '--format=%s', `${commit}..HEAD`], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return log.split('\n').filter((line) => line !== '')
  } catch {
    return undefined
  }
}

describe('commit subjects', () => {
  it.each(['fix(live-trading): refuse a withdrawal above cash', 'docs: name the licence'])('may be "%s"', (subject) => {
    expect(subjectFault(subject, ['live-trading'])).toBeUndefined()
  })

  it.each([
    'live trading: a withdrawal above cash is refused',
    'chore(live-trading): tidy up',
    'fix(live trading): refuse a withdrawal above cash',
    'fix(live-trading):',
  ])('may not be "%s"', (subject) => {
    expect(subjectFault(subject, ['live-trading'])).toBeDefined()
  })

  const subjects = subjectsSince(LAST_UNCHECKED)
  const title = 'have a type and a scope of the list in CONTRIBUTING.md'
  it.skipIf(!subjects)(subjects ? title : `${title} (skipped: the git history is not here)`, () => {
    expect((subjects ?? []).flatMap((subject) => subjectFault(subject, scopes) ?? [])).toEqual([])
  })
})

it('the scopes are folders of the project, each named once', () => {
  const folders = globSync('{apps,packages,scripts}/**/*/', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  const names = new Set([...folders, ...globSync('*/', { cwd: root })].map((folder) => basename(folder)))
  expect(scopes.length).toBeGreaterThan(10)
  expect(scopes.filter((scope) => !names.has(scope))).toEqual([])
  expect(new Set(scopes).size).toBe(scopes.length)
})
