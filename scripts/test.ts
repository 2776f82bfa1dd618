// `npm test`: everything, on a fresh clone too; `npm test -- <path>…`: the tests of these files and folders. Ends with one
// line that counts what passed and failed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasShared } from './shared-data.ts'
import { noCounts, playwrightCounts, vitestCounts, type Counts } from './test-counts.ts'
import { testParts, type TestParts } from './test-parts.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const reports = mkdtempSync(join(tmpdir(), 'tradewright-reports-'))

interface Step {
  title: string
  command: string[]
  /** The step's own counts; without it, the step is one test, and its output is shown when it has ended. */
  counts?: () => Counts
}

const bin = (name: string) => join(root, 'node_modules', name)
const webApp: Step = { title: 'Web app', command: [join(root, 'scripts', 'prepare.mjs'), '--web'] }
/** One after the other beside the unit tests, in the time in which those wait for a database or for a program to start. */
const checks: Step[] = [
  { title: 'Types', command: [bin('typescript/bin/tsc'), '-b'] },
  { title: 'Lint', command: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', '--quiet'] },
  webApp,
  { title: 'Format', command: [bin('prettier/bin/prettier.cjs'), '--check', '--cache', '--log-level', 'warn', '.'] },
]
const unitTests = (paths: readonly string[]): Step => ({
  title: 'Unit and integration tests',
  command: [
    bin('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    // As in the stories: a busy machine may stumble once, and what needed it is named at the end.
    '--retry=1',
    `--outputFile.json=${reports}/vitest.json`,
    ...paths,
  ],
  counts: () => vitestCounts(readReport('vitest.json')),
})
const stories = (paths: readonly string[]): Step => ({
  title: 'Browser stories',
  command: [bin('@playwright/test/cli.js'), 'test', ...paths],
  counts: () => playwrightCounts(readReport('playwright.json')),
})

const total = noCounts()
const { lanes, last } =
  process.argv.length > 2 ? planOf(askedParts()) : { lanes: [[unitTests([])], checks], last: [stories([])] }
await Promise.all(lanes.map((steps) => runInTurn(steps)))
await runInTurn(last)
rmSync(reports, { recursive: true, force: true })

for (const failure of total.failures) console.log(`failed: ${failure}`)
for (const title of total.unsteady) console.log(`passed at the second try only: ${title}`)
for (const reason of total.skipped) console.log(`skipped: ${reason}`)
if (!hasShared('data/')) {
  console.log(
    'Without the data folder (TRADEWRIGHT_DATA) tests are skipped; reference/README.md says what is checked then.',
  )
}
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : ''}`,
)
process.exit(total.failed > 0 ? 1 : 0)

/** npm changes to the project's folder; paths are meant from the one in which the command was typed. */
function askedParts(): TestParts {
  try {
    return testParts(root, process.argv.slice(2), process.env['INIT_CWD'])
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(1)
  }
}

interface Plan {
  /** Side by side, the steps of each in turn. */
  lanes: Step[][]
  /** When all of those have ended. */
  last: Step[]
}

/** Stories need the web app; unit tests start what they need themselves. */
function planOf(parts: TestParts): Plan {
  const lanes = [
    ...(parts.unitTests.length > 0 ? [[unitTests(parts.unitTests)]] : []),
    ...(parts.stories.length > 0 ? [[webApp]] : []),
  ]
  return { lanes, last: parts.stories.length > 0 ? [stories(parts.stories)] : [] }
}

async function runInTurn(steps: readonly Step[]): Promise<void> {
  for (const step of steps) add(await run(step))
}

async function run(step: Step): Promise<Counts> {
  if (step.counts) console.log(`\n— ${step.title}`)
  const exitCode = await execute(step)
  const counts = step.counts && countsOf(step.counts)
  if (!counts) return exitCode === 0 ? { ...noCounts(), passed: 1 } : failed(noCounts(), step)
  // A runner that fails without a failed test (a crash, an unhandled error) has failed all the same.
  return exitCode !== 0 && counts.failed === 0 ? failed(counts, step) : counts
}

function failed(counts: Counts, { title }: Step): Counts {
  return { ...counts, failed: 1, failures: [`${title} (its output above says why)`] }
}

function execute({ title, command: [script = '', ...args], counts }: Step): Promise<number> {
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: `${reports}/playwright.json` }
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
  return JSON.parse(readFileSync(join(reports, name), 'utf8'))
}

function add(counts: Counts): void {
  total.passed += counts.passed
  total.failed += counts.failed
  total.failures.push(...counts.failures)
  total.skipped.push(...counts.skipped)
  total.unsteady.push(...counts.unsteady)
}
