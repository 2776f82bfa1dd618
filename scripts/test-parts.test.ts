import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../apps/server/test-support/temporary-folder.ts'
import { testParts } from './test-parts.ts'

const FILES = ['e2e/home.spec.ts', 'e2e/story.ts', 'packages/core/src/money.ts', 'packages/core/src/money.test.ts']

function project(): string {
  const root = temporaryFolder()
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  return root
}

it.each([
  ['a test file', 'packages/core/src/money.test.ts', { unitTests: ['packages/core/src/money.test.ts'], stories: [] }],
  ['a story', 'e2e/home.spec.ts', { unitTests: [], stories: ['e2e/home.spec.ts'] }],
  ['one story of a file', 'e2e/home.spec.ts:12', { unitTests: [], stories: ['e2e/home.spec.ts:12'] }],
  ['a folder of tests', 'packages/core/', { unitTests: ['packages/core'], stories: [] }],
  ['the folder of stories', './e2e', { unitTests: [], stories: ['e2e'] }],
  ['the project', '.', { unitTests: ['.'], stories: ['.'] }],
])('gives %s to its runner', (_, path, parts) => {
  expect(testParts(project(), [path])).toEqual(parts)
})

it('gives several paths to the runners they belong to', () => {
  const parts = testParts(project(), ['e2e/home.spec.ts', 'packages'])
  expect(parts).toEqual({ unitTests: ['packages'], stories: ['e2e/home.spec.ts'] })
})

it('reads a path from the folder in which it was typed', () => {
  const root = project()
  expect(testParts(root, ['src'], join(root, 'packages/core')).unitTests).toEqual(['packages/core/src'])
})

it.each(['packages/core/src/money.ts', 'e2e/story.ts', 'docs', 'e2e/missing.spec.ts'])(
  'refuses %s, which holds no test',
  (path) => {
    expect(() => testParts(project(), [path])).toThrow(`There is no test at ${path}.`)
  },
)
