import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The parts of the program, from the most special to the most general: the first that matches a file is its part. */
const PARTS: [part: string, pattern: RegExp][] = [
  ['core', /^packages\/core\/src\//],
  ['contract', /^packages\/contract\/src\//],
  ['engine', /^packages\/engine\/src\//],
  ['wiring', /^apps\/server\/src\/(main|worker|server|foundation)\.ts$|^apps\/server\/src\/(areas|commands)\//],
  ['outside', /^apps\/server\/src\/(adapters|stores|secrets)\//],
  ['http', /^apps\/server\/src\/http\//],
  ['threads', /^apps\/server\/src\/workers\//],
  ['use cases', /^apps\/server\/src\//],
  ['web', /^apps\/web\/src\//],
  ['cli', /^apps\/cli\/src\//],
]

/** Which parts a part may import from, besides itself. The wiring may import all of them. */
const MAY_IMPORT: Record<string, string[]> = {
  core: [],
  contract: ['core'],
  engine: ['core'],
  'use cases': ['core', 'engine', 'threads'],
  // Their list of tasks has those that read an upload in the form of the contract.
  threads: ['core', 'engine', 'use cases', 'http'],
  outside: ['core', 'engine', 'use cases'],
  http: ['core', 'contract', 'engine', 'use cases'],
  wiring: ['core', 'contract', 'engine', 'outside', 'http', 'threads', 'use cases'],
  web: ['core', 'contract'],
  cli: ['core', 'contract'],
}

/** Packages a pure part may import; parts that are not named may import what their package.json declares. */
const PURE_PACKAGES: Record<string, RegExp> = {
  core: /^(?!)/,
  contract: /^zod$/,
  engine: /^(?!)/,
  // It runs from one file, without installed packages.
  cli: /^(node:.+|zod|scripts\/operator-commands\.mjs)$/,
}

/** The engine calculates: time, chance and the outside world are passed in. */
const IMPURE = /\b(Date\.now|Math\.random|new Date\(\)|process\.|performance\.)|(await|return|=>|[=(,])\s*fetch\(/

/** Stages of the engine in the order the data travels: a stage may use those before it. */
const ENGINE_ORDER = [
  'kernels',
  'market',
  'features',
  'transforms',
  'models',
  'trading',
  'rules',
  'performance',
  'backtest',
  'live',
  'optimizer',
  'study',
  'robustness',
  'construction',
]

/** The folder itself, and drivers of buckets, which stream to and from a name that it has given them. */
const MAY_USE_FILES = /\/stores\/series\/(contained-folder|objects\/(s3|gcs|azure|mongodb|object-storage))\.ts$/

/** Other things have a kind of this name. */
const OTHER_KINDS = new Set([
  'apps/server/src/adapters/ccxt/broker.ts',
  'apps/server/src/stores/brokerage/paper-activities.ts',
])
const ASKS_FOR_KIND =
  /kind [!=]== '(allocation|ml|rules|external)'|[!=]== '(Asset Allocation|ML|Rules|External signal)'/

interface Import {
  file: string
  target: string
  isTypeOnly: boolean
  /** Loaded when it is first used. */
  isDynamic: boolean
}

const isTest = (file: string) => /\.(test|suite|campaign)\.tsx?$|\/test-support\//.test(file)
const sources = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !isTest(file))
const imports = sources.flatMap(importsOf)

it('asks what a kind of strategy does, not which one it is: core/strategy-kinds.ts says it', () => {
  const asking = sources.filter((file) => ASKS_FOR_KIND.test(readFileSync(join(root, file), 'utf8')))
  expect(asking.filter((file) => !OTHER_KINDS.has(file))).toEqual([])
})

describe('import table', () => {
  it('reads imports of every form', () => {
    const found = (part: string) => imports.filter(({ file }) => partOf(file) === part).length
    for (const part of ['contract', 'wiring', 'outside', 'http', 'web']) expect(found(part), part).toBeGreaterThan(0)
    expect(imports.some(({ isTypeOnly }) => isTypeOnly)).toBe(true)
  })

  it('lets each part import only from the parts it may know', () => {
    const forbidden = imports.filter(({ file, target, isTypeOnly }) => {
      const [from, to] = [partOf(file), partOf(target)]
      if (!to || from === to) return false
      // A port is a type: its implementations and its callers may name it.
      if (isTypeOnly && (from === 'http' || from === 'use cases') && to === 'outside') return false
      return !MAY_IMPORT[from]?.includes(to)
    })
    expect(forbidden.map(describeImport)).toEqual([])
  })

  it('keeps the pure parts free of packages and of Node', () => {
    const forbidden = imports.filter(({ file, target }) => {
      const allowed = PURE_PACKAGES[partOf(file)]
      return allowed && !partOf(target) && !allowed.test(target)
    })
    expect(forbidden.map(describeImport)).toEqual([])
  })

  it('keeps time, chance and the outside world out of the engine', () => {
    const impure = sources
      .filter((file) => partOf(file) === 'engine' || partOf(file) === 'core')
      .filter((file) => IMPURE.test(withoutComments(readFileSync(join(root, file), 'utf8'))))
    expect(impure).toEqual([])
  })

  it('lets a stage of the engine import earlier stages only', () => {
    const stage = (file: string) => ENGINE_ORDER.indexOf(/^packages\/engine\/src\/([^/]+)\//.exec(file)?.[1] ?? '')
    const upstream = imports.filter(({ file, target }) => stage(file) >= 0 && stage(target) > stage(file))
    expect(upstream.map(describeImport)).toEqual([])
  })

  it('lets data stores reach the file system through the one folder they cannot leave', () => {
    const forbidden = imports.filter(
      ({ file, target }) =>
        file.startsWith('apps/server/src/stores/series/') &&
        /^(node:)?fs(\/|$)/.test(target) &&
        !MAY_USE_FILES.test(file),
    )
    expect(forbidden.map(describeImport)).toEqual([])
  })

  it('has no circular imports, not of types either', () => {
    let open = imports.filter(({ isDynamic, target }) => !isDynamic && partOf(target) !== '')
    // Files that import no open file, or that no open file imports, are in no circular import.
    for (let before = -1; open.length !== before;) {
      before = open.length
      const [importing, imported] = [new Set(open.map(({ file }) => file)), new Set(open.map(({ target }) => target))]
      open = open.filter(({ file, target }) => importing.has(target) && imported.has(file))
    }
    expect(open.map(describeImport)).toEqual([])
  })

  it('lets no screen import another screen', () => {
    const feature = (file: string) => /^apps\/web\/src\/features\/([^/]+)\//.exec(file)?.[1]
    const crossing = imports.filter(
      ({ file, target }) => feature(file) && feature(target) && feature(file) !== feature(target),
    )
    const inward = imports.filter(
      ({ file, target }) =>
        /^apps\/web\/src\/(ui|lib|strategy-form|deployment-words|help)\//.test(file) &&
        /^apps\/web\/src\/(features|app)\//.test(target),
    )
    expect([...crossing, ...inward].map(describeImport)).toEqual([])
  })

  it('keeps the patterns of the screen free of the domain', () => {
    const knowing = imports.filter(
      ({ file, target }) =>
        /^apps\/web\/src\/(ui|lib)\//.test(file) &&
        /^apps\/web\/src\/(strategy-form|deployment-words|help)\//.test(target),
    )
    expect(knowing.map(describeImport)).toEqual([])
  })
})

function partOf(file: string): string {
  return PARTS.find(([, pattern]) => pattern.test(file))?.[0] ?? ''
}

function importsOf(file: string): Import[] {
  const text = withoutComments(readFileSync(join(root, file), 'utf8'))
  const statement =
    /(?:^|\n)(?:import|export)\s+(type\s)?[^'"`;=()]*?\bfrom\s+['"]([^'"]+)['"]|(?:^|\n)import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  return [...text.matchAll(statement)].map(([, type, from, bare, dynamic]) => ({
    file,
    target: resolveTarget(file, (from ?? bare ?? dynamic)!),
    isTypeOnly: type !== undefined,
    isDynamic: dynamic !== undefined,
  }))
}

/** A path in the project, or the name of a package. */
function resolveTarget(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(file), specifier)).replaceAll('\\', '/')
  const own = /^@tradewright\/(core|contract|engine)\/(.+)$/.exec(specifier)
  return own ? `packages/${own[1]}/src/${own[2]}.ts` : specifier
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1')
}

function describeImport({ file, target }: Import): string {
  return `${file} imports ${target}`
}
