import { globSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../apps/server/test-support/temporary-folder.ts'
import { type Exported, exportsOf } from './unused-exports.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const files = globSync('{packages,apps,scripts,bench,e2e,reference}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', 'packages/engine/kernels/*/**'],
})
  .concat(globSync('*.config.ts', { cwd: root }))
  .map((file) => file.replaceAll('\\', '/'))

/** Modules that are loaded by a path that is put together when they are needed. */
const LOADED_BY_PATH = /^apps\/server\/test-support\/compute\//

/** Stand-ins and second implementations that tests compare the product with, beside what they stand for. */
const FOR_TESTS = [
  'ManualClock',
  'RateBuckets',
  'SimulatedBroker',
  'boostingBytes',
  'cancel',
  'codeAt',
  'contrast',
  'emptyBooks',
  'evaluateHere',
  'fitAndPredictForest',
  'fitForest',
  'forestTasks',
  'freeOfCosts',
  'growReferenceBoosting',
  'growReferenceForest',
  'memorySeriesStore',
  'newCancelFlag',
  'runBoard',
  'runModelTask',
  'simulate',
  'valueOf',
]

const isProduct = (file: string) =>
  /^(packages|apps)\/[^/]+\/((src|build)\/|vite\.config)/.test(file) &&
  !/\.(test|campaign)\.tsx?$|\/test-support\//.test(file)

const describeExport = ({ file, name }: Exported) => `${file}: ${name}`

describe('exports', () => {
  const all = exportsOf(root, files)

  it('are each imported by another file', () => {
    const unused = all.filter(({ file, importers }) => importers.length === 0 && !LOADED_BY_PATH.test(file))
    expect(unused.map(describeExport)).toEqual([])
  })

  it('of the product serve the product, not its tests alone', () => {
    const forTests = all.filter(
      ({ file, importers, inside }) => isProduct(file) && inside === 0 && !importers.some(isProduct),
    )
    expect(forTests.filter(({ name }) => !FOR_TESTS.includes(name)).map(describeExport)).toEqual([])
    expect(forTests.map(({ name }) => name).toSorted(), 'names that need not be listed').toEqual(FOR_TESTS)
  })
})

it('finds importers of every form', () => {
  const sources = {
    'a.ts':
      'export const one = 1\nexport interface Two {}\nexport async function three() {}\nconst x = 4\nexport { x as four }\nexport const five = one',
    'b.ts':
      "import { one, type Two } from './a.ts'\nexport { four } from './a.ts'\nconst { three } = await import('./a.ts')",
    'c.ts': "import * as a from './a.ts'\n// a.five\na.three()",
  }
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(sources)) {
    writeFileSync(join(folder, name), text)
  }
  const found = Object.fromEntries(
    exportsOf(folder, Object.keys(sources)).map(({ file, name, importers }) => [`${file} ${name}`, importers]),
  )
  expect(found).toEqual({
    'a.ts one': ['b.ts'],
    'a.ts Two': ['b.ts'],
    'a.ts three': ['b.ts', 'c.ts'],
    'a.ts four': ['b.ts'],
    'a.ts five': [],
    'b.ts four': [],
  })
})
