// `npm run faults [-- --only id,id | --area text] [--minutes 240] [--resume] [--quick]`: plants the faults of `faults.ts` one at
// a time in a copy of the last commit and tells which check finds each: tests from the nearest to the farthest, types, lint,
// stories. Results are kept in tmp/planted-faults.json as they come, and written as docs/planted-faults.md at the end. --quick
// asks only the nearest two dozen files of tests, and keeps nothing of the faults that these do not find.
import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Fault, faults } from './faults.ts'
import { nearTests, type TestFile, type TestKind, type Tier } from './near-tests.ts'

const GOALS: Record<Tier, number> = { test: 70, rest: 77 }
/** A check that takes longer hangs, and a hang is found by waiting. */
const TIMEOUT_MS = 20 * 60_000
/** Time to stop the database and to remove what a run made. */
const END_WITHIN_MS = 30_000
/** The first batch is small, as the nearest tests are the likeliest to fail; each one after it is larger. */
const FIRST_BATCH = 4
const MAX_BATCH = 64
/** So many of those that import the changed file, and of those that are named alike, come before all others. */
const NEAREST_FILES = 12

interface Result {
  /** Undefined: not found. */
  readonly foundBy?: string
  readonly tier?: Tier
  /** Processor time of all checks until the one that failed, without the database. */
  readonly cpuSeconds: number
  readonly commit: string
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    area: { type: 'string' },
    minutes: { type: 'string', default: '240' },
    resume: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const resultFile = join(root, 'tmp', 'planted-faults.json')
const deadline = Date.now() + Number(values.minutes) * 60_000
const results = new Map<string, Result>(
  existsSync(resultFile) ? Object.entries(JSON.parse(readFileSync(resultFile, 'utf8')) as Record<string, Result>) : [],
)

class OutOfTime extends Error {}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort(new OutOfTime()))

const commit = git(root, 'rev-parse', '--short', 'HEAD').trim()
const copy = makeCopy()
const reports = mkdtempSync(join(tmpdir(), 'planted-faults-reports-'))
try {
  await runAll(chosenFaults())
} catch (error) {
  if (!(error instanceof OutOfTime)) throw error
  console.log('Stopped before the end: --resume goes on from here.')
} finally {
  git(root, 'worktree', 'remove', '--force', copy)
  rmSync(dirname(copy), { recursive: true, force: true })
  rmSync(reports, { recursive: true, force: true })
}
if (results.size > 0) writePage()
process.exitCode = summary()

function chosenFaults(): Fault[] {
  const ids = values.only?.split(',')
  const unknown = ids?.find((id) => !faults.some((fault) => fault.id === id))
  if (unknown !== undefined) throw new Error(`There is no fault "${unknown}".`)
  return faults.filter(
    ({ id, area }) =>
      (ids?.includes(id) ?? true) && area.includes(values.area ?? '') && !(values.resume && results.has(id)),
  )
}

async function runAll(chosen: readonly Fault[]): Promise<void> {
  console.log(`${chosen.length} faults, one at a time, in ${copy} (${commit})`)
  const before = values.quick ? 'passed' : await run(['node_modules/typescript/bin/tsc', '-b'])
  if (before !== 'passed') throw new Error('The types are wrong without any fault.')
  for (const [i, fault] of chosen.entries()) {
    const cpuBefore = cpuSeconds()
    const found = await find(fault)
    const result = { ...found, cpuSeconds: Math.round(cpuSeconds() - cpuBefore), commit }
    if (!values.quick || found.foundBy !== undefined) results.set(fault.id, result)
    mkdirSync(dirname(resultFile), { recursive: true })
    writeFileSync(resultFile, JSON.stringify(Object.fromEntries(results), null, 2))
    console.log(`${i + 1} of ${chosen.length}: ${fault.id}: ${foundWords(result)}, ${result.cpuSeconds} s`)
  }
}

type Found = Pick<Result, 'foundBy' | 'tier'>

/** Checks in growing order of cost, up to the first that fails; `npm test` comes before `npm run test:rest`. */
async function find(fault: Fault): Promise<Found> {
  const plant = () => plantFault(fault)
  try {
    if ((await plant()) === 'refused') return { foundBy: 'the build of the kernels', tier: 'test' }
    const { near, rules, far, others, stories } = nearTests(sourcesOf(copy), changedFiles())
    // A use case is seldom imported by the tests of its calls, which share words with its name.
    const first = [...near.slice(0, NEAREST_FILES), ...far.slice(0, NEAREST_FILES)]
    const foundFirst = await findIn(inTurn(first), 'test', plant)
    if (foundFirst || values.quick) return foundFirst ?? {}
    if ((await run(['node_modules/typescript/bin/tsc', '-b'])) !== 'passed') return { foundBy: 'types', tier: 'test' }
    // AssemblyScript is compiled, not linted.
    const isLinted = !fault.file.startsWith('packages/engine/kernels/')
    const lint = ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--quiet', fault.file]
    if (isLinted && (await run(lint)) !== 'passed') return { foundBy: 'lint', tier: 'test' }
    // Nothing but its own tests and the stories can see the web app.
    const last = fault.file.startsWith('apps/web/') ? stories : inTurn(others)
    const distant = [...[near, rules, far].flatMap(inTurn), ...last].filter((test) => !first.includes(test))
    const found =
      (await findIn(distant, 'test', plant)) ?? (await findIn([...inTurn(first), ...distant], 'rest', plant))
    if (found) return found
    return {}
  } finally {
    restore()
  }
}

async function findIn(
  tests: readonly TestFile[],
  tier: Tier,
  plant: () => Promise<unknown>,
): Promise<Found | undefined> {
  for (const batch of batchesOf(tests.filter((test) => test.tier === tier))) {
    const foundBy = await findWith(batch, plant)
    if (foundBy !== undefined) return { foundBy, tier }
  }
  return undefined
}

/** What of the batch fails with the fault, and not without it. */
async function findWith(batch: readonly TestFile[], plant: () => Promise<unknown>): Promise<string | undefined> {
  const { kind } = batch[0]!
  const outcome = await runTests(kind, filesOf(batch))
  if (outcome === 'passed') return undefined
  if (outcome === 'timeout') return `timeout of ${filesOf(batch).join(', ')}`
  const failed = failedIn(kind)
  // A runner that fails without a failed test (a crash, an unhandled error): any of the batch may be the cause.
  const suspects = failed.files.length > 0 ? batch.filter(({ file }) => failed.files.includes(file)) : batch
  restore()
  const isSound = (await runTests(kind, filesOf(suspects))) === 'passed'
  await plant()
  if (isSound) return `${filesOf(suspects).join(', ')}${failed.title === undefined ? '' : `: ${failed.title}`}`
  console.log(`Left out, since without the fault they fail as well: ${filesOf(suspects).join(', ')}`)
  const others = batch.filter((test) => !suspects.includes(test))
  return others.length > 0 ? findWith(others, plant) : undefined
}

/** Each kind of test has a runner of its own, which takes seconds to start. */
function inTurn(tests: readonly TestFile[]): TestFile[] {
  return (['unit', 'component'] as const).flatMap((kind) => tests.filter((test) => test.kind === kind))
}

function filesOf(tests: readonly TestFile[]): string[] {
  return tests.map(({ file }) => file)
}

/** Tests of one kind each, in their order. */
function batchesOf(tests: readonly TestFile[]): TestFile[][] {
  const batches: TestFile[][] = []
  let size = FIRST_BATCH
  for (const test of tests) {
    const last = batches.at(-1)
    if (last && last.length < size && last[0]!.kind === test.kind) last.push(test)
    else {
      if (last && last.length >= size) size = Math.min(MAX_BATCH, size * 2)
      batches.push([test])
    }
  }
  return batches
}

/** The one place that knows how each kind of test is run; paths are relative to the project. No test is tried twice. */
function commandFor(kind: TestKind, files: readonly string[]): string[] {
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--bail=1',
    '--retry=0',
    '--reporter=json',
    `--outputFile.json=${reportOf(kind)}`,
  ]
  if (kind === 'unit') return [...vitest, ...files]
  if (kind === 'component') return [...vitest, '--config', 'vitest.web.config.ts', ...files]
  return ['node_modules/@playwright/test/cli.js', 'test', '--max-failures=1', '--retries=0', ...files]
}

function reportOf(kind: TestKind): string {
  return join(reports, `${kind}.json`)
}

async function runTests(kind: TestKind, files: readonly string[]): Promise<Outcome> {
  console.log(`  ${files.length} ${files.length === 1 ? 'file' : 'files'} (${kind}), from ${files[0]}`)
  rmSync(reportOf(kind), { force: true })
  // Stories open the built app; component tests read its sources, and the program beside them needs some build.
  if (kind === 'story' || (kind === 'component' && !existsSync(join(copy, 'apps', 'web', 'dist')))) {
    const built = await run(['scripts/prepare.mjs', '--dev', '--web'])
    if (built !== 'passed') return built
  }
  return run(commandFor(kind, files), { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('story') })
}

interface Failed {
  readonly files: readonly string[]
  /** The title of the first test that failed. */
  readonly title?: string | undefined
}

function failedIn(kind: TestKind): Failed {
  if (!existsSync(reportOf(kind))) return { files: [] }
  const report: unknown = JSON.parse(readFileSync(reportOf(kind), 'utf8'))
  return kind === 'story' ? failedStories(report as StoryReport) : failedTests(report as TestReport)
}

interface TestReport {
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[]
}

function failedTests({ testResults }: TestReport): Failed {
  const failed = testResults.filter(({ status }) => status === 'failed')
  const test = failed.flatMap(({ assertionResults }) => assertionResults).find(({ status }) => status === 'failed')
  return { files: failed.map(({ name }) => relative(copy, name)), title: test?.fullName }
}

interface StoryReport {
  suites: StorySuite[]
}

interface StorySuite {
  suites?: StorySuite[]
  specs?: { title: string; file: string; ok: boolean; tests: { status: string }[] }[]
}

function failedStories({ suites }: StoryReport): Failed {
  const specsOf = (suite: StorySuite): NonNullable<StorySuite['specs']> => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap(specsOf),
  ]
  const failed = suites.flatMap(specsOf).filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
  return { files: [...new Set(failed.map(({ file }) => join('e2e', file)))], title: failed[0]?.title }
}

async function plantFault({ id, file, find: text, replace }: Fault): Promise<'planted' | 'refused'> {
  const path = join(copy, file)
  const parts = readFileSync(path, 'utf8').split(text)
  if (parts.length !== 2) throw new Error(`${id}: its text stands ${parts.length - 1} times in ${file}.`)
  writeFileSync(path, parts.join(replace))
  if (!file.startsWith('packages/engine/kernels/')) return 'planted'
  // What runs are the modules made from it, which who changes a kernel makes anew.
  return (await run(['packages/engine/kernels/build.ts'])) === 'passed' ? 'planted' : 'refused'
}

function restore(): void {
  git(copy, 'checkout', '--quiet', '--', '.')
}

function changedFiles(): string[] {
  return git(copy, 'diff', '--name-only').trim().split('\n')
}

function sourcesOf(folder: string): Map<string, string> {
  const all = git(folder, 'ls-files', '*.ts', '*.tsx', '*.mjs').trim().split('\n')
  // The list of faults has a test of its own, which would find each of them by its text.
  const files = all.filter((file) => !file.startsWith('scripts/planted-faults/'))
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

/**
 * A worktree of the last commit with packages of its own: as hard links, since what follows a symbolic link ends in this
 * folder and would import the sources of this one.
 */
function makeCopy(): string {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'planted-faults-'))), 'project')
  git(root, 'worktree', 'add', '--quiet', '--detach', folder, 'HEAD')
  const workspaces = ['apps', 'packages'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((one) => join(parent, one)),
  )
  for (const holder of ['.', ...workspaces]) {
    const packages = join(holder, 'node_modules')
    if (existsSync(join(root, packages))) linkTree(join(root, packages), join(folder, packages))
  }
  const compiled = join('node_modules', '.cache', 'tsc')
  if (existsSync(join(root, compiled))) cpSync(join(root, compiled), join(folder, compiled), { recursive: true })
  return folder
}

/** Caches and stamps of tools are written in place, so they are not shared. */
function linkTree(from: string, to: string, isTop = true): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    const isOfTool = isTop && entry.name.startsWith('.') && entry.name !== '.bin'
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (entry.isDirectory() && !isOfTool) linkTree(source, target, false)
    else if (entry.isFile() && isOfTool) copyFileSync(source, target)
    else if (entry.isFile()) linkOrCopy(source, target)
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    // Another file system.
    copyFileSync(source, target)
  }
}

type Outcome = 'passed' | 'failed' | 'timeout'

/** Runs a program of the copy, with all that it starts in a process group of its own. */
async function run(command: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  if (Date.now() > deadline) throw new OutOfTime()
  stopping.signal.throwIfAborted()
  const child = spawn(process.execPath, command, {
    cwd: copy,
    env: { ...process.env, ...env },
    stdio: 'ignore',
    detached: true,
  })
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.once('error', () => resolve(1)).once('exit', resolve)
  const end = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal)
    } catch {
      // It has ended.
    }
  }
  let hasTimedOut = false
  let killing: NodeJS.Timeout | undefined
  const stop = () => {
    end('SIGTERM')
    killing = setTimeout(end, END_WITHIN_MS, 'SIGKILL')
  }
  const timeout = setTimeout(() => {
    hasTimedOut = true
    stop()
  }, TIMEOUT_MS)
  stopping.signal.addEventListener('abort', stop, { once: true })
  const code = await ended
  for (const timer of [timeout, killing]) clearTimeout(timer)
  stopping.signal.removeEventListener('abort', stop)
  // What outlives its program is of no use to the next one.
  end('SIGKILL')
  stopping.signal.throwIfAborted()
  return hasTimedOut ? 'timeout' : code === 0 ? 'passed' : 'failed'
}

/** Processor time of the ended programs that this one has started; zero where the system does not tell. */
function cpuSeconds(): number {
  const stat = '/proc/self/stat'
  if (!existsSync(stat)) return 0
  // After the name, which may hold spaces: the user and system time of ended children are the 14th and 15th field.
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

function foundWords({ foundBy, tier }: Result): string {
  return foundBy === undefined
    ? 'not found'
    : `found by ${tier === 'test' ? 'npm test' : 'npm run test:rest'} (${foundBy})`
}

function tally() {
  const known = faults.flatMap(({ id }) => results.get(id) ?? [])
  const test = known.filter(({ tier }) => tier === 'test').length
  return { run: known.length, test, rest: test + known.filter(({ tier }) => tier === 'rest').length }
}

function summary(): number {
  const { run: known, test, rest } = tally()
  console.log(`${known} of ${faults.length} planted: npm test finds ${test}, both together ${rest}.`)
  return known === faults.length && (test < GOALS.test || rest < GOALS.rest) ? 1 : 0
}

function writePage(): void {
  const { run: known, test, rest } = tally()
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const rows = faults.map((fault) => {
    const result = results.get(fault.id)
    const command = result?.tier === 'rest' ? '`npm run test:rest`' : '`npm test`'
    const outcome =
      result === undefined
        ? ['not known yet', '', '']
        : result.foundBy === undefined
          ? ['**not found**', '', String(result.cpuSeconds)]
          : [cell(result.foundBy), command, String(result.cpuSeconds)]
    return `| ${[fault.id, cell(fault.effect), fault.kind, fault.area, ...outcome].join(' | ')} |`
  })
  const page = join(root, 'docs', 'planted-faults.md')
  const text = [
    '# Planted faults',
    '',
    `\`npm run faults\` plants ${faults.length} mistakes, one at a time, and runs checks until one fails. Places were drawn by ` +
      '`scripts/planted-faults/draw.ts`, and the mistakes chosen from the sources before the tests were read. This page is ' +
      'written by that command.',
    '',
    `${known} were planted at ${[...new Set([...results.values()].map((result) => result.commit))].join(', ')}: \`npm test\` ` +
      `finds ${test}, and ${rest} with \`npm run test:rest\`. Seconds are processor time until the check that failed, nearest ` +
      'tests first, without the database.',
    '',
    'A fault that the tests nearest to it did not find when it was first planted became a test beside its file: some forty of ' +
      'them. The figures are those with these tests, which were asked first.',
    ...(known < faults.length
      ? ['', 'What finds the others is not known yet: not all tests were asked about them.']
      : []),
    '',
    '| Fault | What would be noticed | Kind | Area | Found by | Command | Seconds |',
    '| --- | --- | --- | --- | --- | --- | ---: |',
    ...rows,
    '',
  ]
  writeFileSync(page, text.join('\n'))
  execFileSync(process.execPath, [join(root, 'node_modules/prettier/bin/prettier.cjs'), '--write', page], { cwd: root })
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })
}
