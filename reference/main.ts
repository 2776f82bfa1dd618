// `npm run reference [name…] [-- --check]`: computes the reference values again and names those that differ from the
// committed ones. Names are those of the files in `values/`; without one all are computed.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { differences, type Difference } from './differences.ts'
import { marketFiles } from './market.ts'

const folder = dirname(fileURLToPath(import.meta.url))
/** Not part of the repository; without it the values of real prices are left as they are. */
const REAL_PRICES = process.env['TRADEWRIGHT_DATA'] ?? join(folder, '../../shared/data')
/**
 * The command of each file of `values/`. Debian's Python is named by its path: another one on PATH has other libraries.
 */
const SCRIPTS: Readonly<Record<string, readonly [command: string, script: string, folder?: string]>> = {
  'figures.json': ['/usr/bin/python3', 'figures.py'],
  'significance.json': ['/usr/bin/python3', 'significance.py'],
  'indicators.json': ['/usr/bin/python3', 'indicators.py'],
  'indicators-ttr.json': ['Rscript', 'indicators.R'],
  'models.json': ['/usr/bin/python3', 'models.py'],
  'series.json': ['/usr/bin/python3', 'series.py'],
  'portfolios.json': ['/usr/bin/python3', 'portfolios.py'],
  'rules.json': ['/usr/bin/python3', 'rules.py'],
  'rules-real.json': ['/usr/bin/python3', 'rules.py', REAL_PRICES],
  'bt-real.json': ['/usr/bin/python3', 'bt.py', REAL_PRICES],
  'robustness.json': ['/usr/bin/python3', 'robustness.py'],
  'construction.json': ['/usr/bin/python3', 'construction.py'],
  'calendar.json': ['Rscript', 'calendar.R'],
}
const PACKAGES =
  'python3-numpy python3-pandas python3-scipy python3-statsmodels python3-sklearn python3-cvxopt python3-xgboost ' +
  'r-base-core r-cran-ttr r-cran-timedate r-cran-jsonlite'
const MAX_SHOWN = 10

const isCheck = process.argv.includes('--check')
const names = process.argv.slice(2).filter((argument) => argument !== '--check')
const unknown = names.filter((name) => !SCRIPTS[`${name}.json`])
if (unknown.length > 0) throw new Error(`There are no reference values named ${unknown.join(', ')}.`)
const wanted = Object.entries(SCRIPTS)
  .filter(([file]) => names.length === 0 || names.includes(basename(file, '.json')))
  .flatMap(([file, [, , needed]]) => (needed === undefined || existsSync(needed) ? [file] : []))
const scratch = mkdtempSync(join(tmpdir(), 'tradewright-reference-'))
try {
  const changed = [...compareMarket(), ...wanted.flatMap(compareValues)]
  console.log(changed.length === 0 ? 'Nothing differs.' : `Changed: ${changed.join(', ')}`)
  process.exitCode = isCheck && changed.length > 0 ? 1 : 0
} finally {
  rmSync(scratch, { recursive: true })
}

/** First, since the scripts read these files. */
function compareMarket(): string[] {
  mkdirSync(join(folder, 'market'), { recursive: true })
  return [...marketFiles()].flatMap(([name, text]) => {
    const path = join(folder, 'market', name)
    if (readOr(path) === text) return []
    console.log(`market/${name}: the sample market has other prices`)
    if (!isCheck) writeFileSync(path, text)
    return [`market/${name}`]
  })
}

function compareValues(name: string): string[] {
  const computed = join(scratch, name)
  run(name, computed)
  const committed = join(folder, 'values', name)
  const found = differences(parsed(readOr(committed)), parsed(readFileSync(computed, 'utf8')))
  console.log(`values/${name}: ${found.length === 0 ? 'the same' : `different in ${found.length}`}`)
  for (const difference of found.slice(0, MAX_SHOWN)) console.log(`  ${written(difference)}`)
  if (found.length > MAX_SHOWN) console.log(`  and ${found.length - MAX_SHOWN} more`)
  // Unchanged files stay as they are: last digits depend on the processor.
  if (found.length > 0 && !isCheck) {
    mkdirSync(dirname(committed), { recursive: true })
    copyFileSync(computed, committed)
  }
  return found.length > 0 ? [`values/${name}`] : []
}

function run(name: string, output: string): void {
  const [command, script, needed] = SCRIPTS[name]!
  try {
    // One thread: sums in another order have other last digits.
    const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' }
    const given = needed === undefined ? [] : [needed]
    execFileSync(command, [join(folder, script), output, ...given], { stdio: ['ignore', 'inherit', 'inherit'], env })
  } catch (error) {
    throw new Error(
      `${basename(script)} could not be run. It needs Debian 12 or later with\n  apt-get install ${PACKAGES}`,
      { cause: error },
    )
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function parsed(text: string): unknown {
  return JSON.parse(text === '' ? '{}' : text)
}

function written({ path, before, now }: Difference): string {
  return `${path}: ${shown(before)} before, ${shown(now)} now`
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, 80)
}
