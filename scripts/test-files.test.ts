import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../apps/server/test-support/temporary-folder.ts'
import {
  COMPONENT_TEST_FILES,
  excludedFiles,
  includedFiles,
  restFiles,
  STORY_FILES,
  testParts,
  UNIT_TEST_FILES,
} from './test-files.ts'

const FILES = [
  'apps/web/src/home.component.test.tsx',
  'apps/web/src/search.component.rest.test.tsx',
  'apps/server/src/kill.rest.test.ts',
  'e2e/home.spec.ts',
  'e2e/offline.rest.spec.ts',
  'e2e/story.ts',
  'packages/core/src/money.ts',
  'packages/core/src/money.test.ts',
]

function project(): string {
  const root = temporaryFolder()
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  return root
}

const unitTest = 'packages/core/src/money.test.ts'
const component = 'apps/web/src/home.component.test.tsx'

it.each([
  ['a test file', unitTest, { unitTests: [unitTest] }],
  ['a component test', component, { componentTests: [component] }],
  [
    'a test that is left to the rest',
    'apps/server/src/kill.rest.test.ts',
    { unitTests: ['apps/server/src/kill.rest.test.ts'] },
  ],
  ['a story', 'e2e/home.spec.ts', { stories: ['e2e/home.spec.ts'] }],
  ['one story of a file', 'e2e/home.spec.ts:12', { stories: ['e2e/home.spec.ts:12'] }],
  ['a folder of tests', 'packages/core/', { unitTests: ['packages/core'] }],
  ['a folder of several kinds', 'apps', { unitTests: ['apps'], componentTests: ['apps'] }],
  ['the folder of stories', './e2e', { stories: ['e2e'] }],
  ['the project', '.', { unitTests: ['.'], componentTests: ['.'], stories: ['.'] }],
])('gives %s to its runner', (_, path, parts) => {
  expect(testParts(project(), [path])).toEqual({ unitTests: [], componentTests: [], stories: [], ...parts })
})

it('gives several paths to the runners they belong to', () => {
  const parts = testParts(project(), ['e2e/home.spec.ts', 'packages'])
  expect(parts).toEqual({ unitTests: ['packages'], componentTests: [], stories: ['e2e/home.spec.ts'] })
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

it('runs each test file either for a change or with the rest', () => {
  const cwd = project()
  for (const pattern of [UNIT_TEST_FILES, COMPONENT_TEST_FILES, STORY_FILES]) {
    const others = pattern === UNIT_TEST_FILES ? [COMPONENT_TEST_FILES] : []
    const files = (tier: 'all' | 'change' | 'rest') =>
      globSync(includedFiles(pattern, tier), { cwd, exclude: [...excludedFiles(tier), ...others] })
    expect([...files('change'), ...files('rest')].toSorted()).toEqual(files('all').toSorted())
    expect(files('rest').every((file) => restFiles(cwd).includes(file))).toBe(true)
    expect(files('rest')).toHaveLength(1)
  }
})
