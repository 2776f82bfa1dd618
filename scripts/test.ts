// The tests, on a fresh clone too: `npm test` runs what belongs before a commit, `npm run test:rest` everything else (kills,
// chaos, long stories), `npm test -- <path>…` the tests of these files and folders, `npm test -- --changed` what the working
// copy's changes reach, and `--shard=1/4` a part of either run. docs/testing.md says which test belongs where.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasShared } from './shared-data.ts'
import { noCounts, playwrightCounts, vitestCounts, type Counts } from './test-counts.ts'
import { restFiles, testParts, type TestParts, type Tier } from './test-files.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const reports = mkdtempSync(join(tmpdir(), 'tradewright-reports-'))
const startedAt = performance.now()

interface Step {
  title: string
  command: string[]
  /** The step's own counts; without it, the step is one test, and its output is shown when it has ended. */
  counts?: () => Counts
}

const options = process.argv.slice(2)
const paths = options.filter((option) => !option.startsWith('--'))
const isForRest = options.includes('--rest')
const isForChanges = options.includes('--changed')
const shard = options.find((option) => option.startsWith('--shard='))
const unknown = options.find((option) => option.startsWith('--') && !['--rest', '--changed', shard].includes(option))
if (unknown) {
  console.error(`There is no option ${unknown}. There are --changed, --rest and --shard=1/4.`)
  process.exit(1)
}
const tier: Tier = paths.length > 0 ? 'all' : isForRest ? 'rest' : 'change'

const bin = (name: string) => join(root, 'node_modules', name)
const [oxlint, prettier] = [bin('oxlint/bin/oxlint'), bin('prettier/bin/prettier.cjs')]
const types: Step = { title: 'Types', command: [bin('typescript/bin/tsc'), '-b'] }
const lint = (files: readonly string[]): Step => ({
  title: 'Lint',
  command: [oxlint, '--type-aware', '--deny-warnings', '--quiet', ...files],
})
const format = (files: readonly string[]): Step => ({
  title: 'Format',
  command: [prettier, '--check', '--cache', '--ignore-unknown', '--log-level', 'warn', ...files],
})
const webApp: Step = { title: 'Web app', command: [join(root, 'scripts', 'prepare.mjs'), '--web'] }
const vitest = (title: string, report: string, more: readonly string[]): Step => ({
  title,
  command: [
    bin('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    '--passWithNoTests',
    `--outputFile.json=${reports}/${report}.json`,
    ...more,
  ],
  counts: () => vitestCounts(readReport(report)),
})
const unitTests = (more: readonly string[], report = 'unit') => vitest('Unit and integration tests', report, more)
const componentTests = (more: readonly string[]) =>
  vitest('Component tests', 'components', ['--config=vitest.web.config.ts', ...more])
const stories = (more: readonly string[]): Step => ({
  title: 'Browser stories',
  command: [bin('@playwright/test/cli.js'), 'test', ...more],
  counts: () => playwrightCounts(readReport('playwright')),
})

const total = noCounts()
await Promise.all(lanes().map((steps) => runInTurn(steps)))
rmSync(reports, { recursive: true, force: true })
tell()
process.exit(total.failed > 0 ? 1 : 0)

/** Side by side, the steps of each in turn: the servers of the one wait while the browsers of the other work. */
function lanes(): Step[][] {
  if (paths.length > 0) return lanesOf(askedParts())
  if (isForChanges) return lanesOfChanges()
  const part = shard ? [shard] : []
  const isFirst = !shard || shard.startsWith('--shard=1/')
  if (isForRest) return [[unitTests(part)], [webApp, componentTests(part), stories(part)]]
  return [
    [unitTests(part)],
    [
      ...(isFirst ? [types] : []),
      webApp,
      componentTests(part),
      stories(part),
      ...(isFirst ? [lint([]), format(['.'])] : []),
    ],
  ]
}

/** npm changes to the project's folder; paths are meant from the one in which the command was typed. */
function askedParts(): TestParts {
  try {
    return testParts(root, paths, process.env['INIT_CWD'])
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(1)
  }
}

function lanesOf(parts: TestParts): Step[][] {
  return [
    parts.unitTests.length > 0 ? [unitTests(parts.unitTests)] : [],
    [
      ...(parts.componentTests.length > 0 ? [componentTests(parts.componentTests)] : []),
      ...(parts.stories.length > 0 ? [webApp, stories(parts.stories)] : []),
    ],
  ]
}

/** Tests that import a changed file, the project's rules, which read files, and the stories where a program changed. */
function lanesOfChanges(): Step[][] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]
  const files = changed.filter((file) => existsSync(join(root, file)))
  if (files.length === 0) {
    console.log('The working copy has no changes. Nothing to test.')
    return []
  }
  const sources = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file))
  const reachesStories = changed.some((file) => /^(apps|packages|e2e)\//.test(file) && !/\.test\.tsx?$/.test(file))
  return [
    [unitTests(['--changed']), unitTests(['scripts/'], 'rules')],
    [
      types,
      ...(sources.length > 0 ? [lint(sources)] : []),
      format(files),
      componentTests(['--changed']),
      ...(reachesStories ? [webApp, stories([])] : []),
    ],
  ]
}

function tell(): void {
  for (const failure of total.failures) console.log(`failed: ${failure}`)
  for (const reason of total.skipped) console.log(`skipped: ${reason}`)
  if (!hasShared('data/')) {
    console.log(
      'Without the data folder (TRADEWRIGHT_DATA) tests are skipped; reference/README.md says what is checked then.',
    )
  }
  if (tier === 'change') {
    const left = restFiles(root).length
    console.log(`${left} files of tests are left to npm run test:rest: kills, chaos, long runs and long stories.`)
  }
  const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : ''
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const wall = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} minutes`
  const processor = processorSeconds()
  const spent = processor === undefined ? '' : `, ${processor} s of processor time`
  console.log(`${total.passed + total.failed} tests in ${wall}${spent}`)
}

/** Processor time of all processes that this one started, and of theirs, where the system counts them: Linux. */
function processorSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const own = process.resourceUsage()
  // The fields behind the name, which may hold blanks: cutime and cstime are the 16th and 17th, in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  const ofChildren = (Number(fields[13]) + Number(fields[14])) / 100
  return Math.round(ofChildren + (own.userCPUTime + own.systemCPUTime) / 1e6)
}

async function runInTurn(steps: readonly Step[]): Promise<void> {
  for (const step of steps) add(await run(step))
}

async function run(step: Step): Promise<Counts> {
  if (step.counts) console.log(`\n— ${step.title}`)
  const began = performance.now()
  const exitCode = await execute(step)
  console.log(`${step.title}: ${Math.round((performance.now() - began) / 1000)} s`)
  const counts = step.counts && countsOf(step.counts)
  if (!counts) return exitCode === 0 ? { ...noCounts(), passed: 1 } : failed(noCounts(), step)
  // A runner that fails without a failed test (a crash, an unhandled error) has failed all the same.
  return exitCode !== 0 && counts.failed === 0 ? failed(counts, step) : counts
}

function failed(counts: Counts, { title }: Step): Counts {
  return { ...counts, failed: 1, failures: [`${title} (its output above says why)`] }
}

function execute({ title, command: [script = '', ...args], counts }: Step): Promise<number> {
  const env = { ...process.env, TEST_TIER: tier, PLAYWRIGHT_JSON_OUTPUT_FILE: `${reports}/playwright.json` }
  return new Promise((resolve) => {
    const output = counts ? 'inherit' : 'pipe'
    const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', output, output], env })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.on('error', () => resolve(1))
    child.on('close', (code) => {
      if (!counts) console.log(`\n— ${title}\n${said.trimEnd()}`)
      resolve(code ?? 1)
    })
  })
}

function countsOf(read: () => Counts): Counts | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function readReport(name: string): unknown {
  return JSON.parse(readFileSync(join(reports, `${name}.json`), 'utf8'))
}

function add(counts: Counts): void {
  total.passed += counts.passed
  total.failed += counts.failed
  total.failures.push(...counts.failures)
  total.skipped.push(...counts.skipped)
}
