import { globSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { STORY_FILES, UNIT_TEST_FILES } from './test-files.ts'

/** What `npm test -- <path>…` runs: paths for each runner as it takes them, relative to the project. */
export interface TestParts {
  unitTests: string[]
  stories: string[]
}

/** Divides files and folders, each optionally followed by `:line`, by the runner of the tests they hold. */
export function testParts(root: string, paths: readonly string[], from = root): TestParts {
  const parts: TestParts = { unitTests: [], stories: [] }
  for (const given of paths) {
    const [, file = '', line = ''] = /^(.*?)(:\d+)?$/.exec(given) ?? []
    const path = relative(root, resolve(from, file))
    const holds = (pattern: string) => testsAt(root, path, pattern).length > 0
    const holdsUnitTests = holds(UNIT_TEST_FILES)
    const holdsStories = holds(STORY_FILES)
    if (!holdsUnitTests && !holdsStories) throw new Error(`There is no test at ${given}.`)
    if (holdsUnitTests) parts.unitTests.push((path || '.') + line)
    if (holdsStories) parts.stories.push((path || '.') + line)
  }
  return parts
}

function testsAt(root: string, path: string, pattern: string): string[] {
  const found = globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] })
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false
  return found.filter((file) => file === path || (isFolder && (path === '' || file.startsWith(`${path}/`))))
}
