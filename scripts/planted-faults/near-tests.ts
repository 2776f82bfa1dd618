import { dirname, join } from 'node:path'

/** Which of two commands runs a test: `npm test`, or `npm run test:rest`. */
export type Tier = 'test' | 'rest'
export type TestKind = 'unit' | 'component' | 'story'

export interface TestFile {
  readonly file: string
  readonly kind: TestKind
  readonly tier: Tier
}

/** The tests in one order, the likeliest to see a change first. */
interface NearTests {
  /** These import what was changed, by the number of imports between. */
  readonly near: readonly TestFile[]
  /** Rules of the project that read sources as text. */
  readonly rules: readonly TestFile[]
  /** These reach it through the whole server only; those of its area first. */
  readonly far: readonly TestFile[]
  /** No import leads from these to it; some start programs whose names are put together. */
  readonly others: readonly TestFile[]
  /** Browser stories, those that share words with the changed path first. */
  readonly stories: readonly TestFile[]
}

/** The parts that know all others. */
const WIRING =
  /^apps\/server\/src\/((main|worker|server|foundation|program)\.ts$|(areas|commands)\/)|^apps\/web\/src\/app\//

/** `sources`: the texts of all files by their paths. */
export function nearTests(sources: ReadonlyMap<string, string>, changed: readonly string[]): NearTests {
  const importers = importersOf(sources)
  const near = distances(importers, changed, (file) => !WIRING.test(file) || changed.includes(file))
  const all = distances(importers, changed, () => true)
  const words = new Set(changed.flatMap(wordsOf))
  const tests = [...sources.keys()].map(testFileOf).filter((test) => test !== undefined)
  const namedBy = Map.groupBy(
    tests.flatMap(({ file }) => [...new Set(wordsOf(file))]),
    (word) => word,
  )
  // A word that many files have in their names says little about which of them tests what was changed.
  const weightOf = (word: string) => Math.log((tests.length + 1) / (namedBy.get(word)?.length ?? 1))
  const alike = new Map(
    tests.map(({ file }) => {
      const shared = new Set(wordsOf(file)).intersection(words)
      return [file, [...shared].reduce((sum, word) => sum + weightOf(word), 0)]
    }),
  )
  const away = ({ file }: TestFile, by: ReadonlyMap<string, number>) => by.get(file) ?? Infinity
  const nearness = (by: ReadonlyMap<string, number>) => (a: TestFile, b: TestFile) => away(a, by) - away(b, by)
  const likeness = (a: TestFile, b: TestFile) => alike.get(b.file)! - alike.get(a.file)!
  const isStory = ({ kind }: TestFile) => kind === 'story'
  const imports = tests.filter((test) => !isStory(test))
  return {
    near: imports.filter(({ file }) => near.has(file)).sort((a, b) => nearness(near)(a, b) || likeness(a, b)),
    rules: imports.filter(({ file }) => file.startsWith('scripts/') && !all.has(file)),
    far: imports
      .filter(({ file }) => all.has(file) && !near.has(file))
      .sort((a, b) => likeness(a, b) || nearness(all)(a, b)),
    others: imports.filter(({ file }) => !file.startsWith('scripts/') && !all.has(file)).sort(likeness),
    stories: tests.filter(isStory).sort(likeness),
  }
}

export function testFileOf(file: string): TestFile | undefined {
  const tier = /\.rest\.(test\.tsx?|spec\.ts)$/.test(file) ? 'rest' : 'test'
  if (/^e2e\/[^/]+\.spec\.ts$/.test(file)) return { file, kind: 'story', tier }
  if (!/^(packages|apps|scripts|bench|reference)\/.*\.test\.tsx?$/.test(file)) return undefined
  return { file, kind: /\.component\.(rest\.)?test\.tsx$/.test(file) ? 'component' : 'unit', tier }
}

const wordsOf = (file: string): string[] =>
  file
    .replace(/\.(test|spec)?\.?(tsx?|mjs)$/, '')
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2 && !['apps', 'packages', 'server', 'features'].includes(word))

/** The shortest way from the changed files to each file that imports one of them. */
function distances(
  importers: ReadonlyMap<string, readonly string[]>,
  changed: readonly string[],
  mayPass: (file: string) => boolean,
): Map<string, number> {
  const found = new Map(changed.map((file) => [file, 0]))
  // Entries that are added while the loop runs are visited, too, in their order.
  for (const [file, distance] of found) {
    if (!mayPass(file)) continue
    for (const importer of importers.get(file) ?? []) {
      if (!found.has(importer) && (mayPass(importer) || testFileOf(importer))) found.set(importer, distance + 1)
    }
  }
  return found
}

function importersOf(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const [file, text] of sources) {
    for (const target of new Set(targetsOf(file, text, sources))) {
      const known = importers.get(target)
      if (known) known.push(file)
      else importers.set(target, [file])
    }
  }
  return importers
}

const TYPE_IMPORT = /^(import|export) type [^;'"]*?from ['"][^'"]+['"]/gm
const QUOTED = /['"`]([^'"`\n$]+)['"`]/g

/** What a file imports or starts: every text in quotes that leads to a source. Imports of types change nothing. */
function targetsOf(file: string, text: string, sources: ReadonlyMap<string, string>): string[] {
  return [...text.replaceAll(TYPE_IMPORT, '').matchAll(QUOTED)].flatMap(([, quoted = '']) => {
    const own = /^@tradewright\/([a-z]+)\/(.+)$/.exec(quoted)
    const candidates = own
      ? [`packages/${own[1]}/src/${own[2]}.ts`, `packages/${own[1]}/src/${own[2]}.tsx`]
      : /\.(tsx?|mjs)$/.test(quoted)
        ? [join(dirname(file), quoted), quoted]
        : []
    const target = candidates.find((path) => path !== file && sources.has(path))
    return target === undefined ? [] : [target]
  })
}
