import { globSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** The files that each runner reads; its configuration and `npm test -- <path>` use the same patterns. */
export const UNIT_TEST_FILES = '{packages,apps,scripts,bench,reference}/**/*.test.{ts,tsx}'
/** In a browser page. */
export const COMPONENT_TEST_FILES = 'apps/web/src/**/*.component{,.rest}.test.tsx'
export const STORY_FILES = 'e2e/*.spec.ts'

/**
 * Which tests a runner takes: `npm test` those of each change, `npm run test:rest` those whose files say `.rest.` in their
 * names, and a run by path all of them.
 */
export type Tier = 'change' | 'rest' | 'all'
const REST = '**/*.rest.{test,spec}.{ts,tsx}'

/** What a runner's configuration excludes; scripts/test.ts says by TEST_TIER which tests the run is for. */
export function excludedFiles(tier: Tier = tierOf(process.env['TEST_TIER'])): string[] {
  return ['**/node_modules/**', ...(tier === 'change' ? [REST] : [])]
}

/** `pattern`, or where the run is for the rest, those of its files that are left to it. */
export function includedFiles(pattern: string, tier: Tier = tierOf(process.env['TEST_TIER'])): string {
  return tier === 'rest' ? pattern.replace(/\.(test|spec)\./, '.rest.$1.') : pattern
}

function tierOf(text: string | undefined): Tier {
  return text === 'change' || text === 'rest' ? text : 'all'
}

/** Paths for each runner as it takes them, relative to the project. */
export interface TestParts {
  unitTests: string[]
  componentTests: string[]
  stories: string[]
}

/** Divides files and folders, each optionally followed by `:line`, by the runner of the tests they hold. */
export function testParts(root: string, paths: readonly string[], from = root): TestParts {
  const parts: TestParts = { unitTests: [], componentTests: [], stories: [] }
  for (const given of paths) {
    const [, file = '', line = ''] = /^(.*?)(:\d+)?$/.exec(given) ?? []
    const path = relative(root, resolve(from, file))
    const components = testsAt(root, path, COMPONENT_TEST_FILES)
    const held: TestParts = {
      unitTests: testsAt(root, path, UNIT_TEST_FILES).filter((test) => !components.includes(test)),
      componentTests: components,
      stories: testsAt(root, path, STORY_FILES),
    }
    if (Object.values(held).flat().length === 0) throw new Error(`There is no test at ${given}.`)
    for (const kind of ['unitTests', 'componentTests', 'stories'] as const)
      if (held[kind].length > 0) parts[kind].push((path || '.') + line)
  }
  return parts
}

/** The tests of each kind that are left to `npm run test:rest`. */
export function restFiles(root: string): string[] {
  return globSync(REST, { cwd: root, exclude: ['**/node_modules/**'] })
}

function testsAt(root: string, path: string, pattern: string): string[] {
  const found = globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] })
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false
  return found.filter((file) => file === path || (isFolder && (path === '' || file.startsWith(`${path}/`))))
}
