// `npm run bench [name…] [--json] [--minutes=2]`: the home of every benchmark.
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chosen, readArguments } from './arguments.ts'
import type { Bench, BenchRow } from './bench.ts'
import { runInOwnProcess } from './own-process.ts'
import { jsonLine, table, verdict } from './report.ts'
import { processorTime, stolenSince } from './stolen-time.ts'

const folder = dirname(fileURLToPath(import.meta.url))

try {
  const { names, json, minutes } = readArguments(process.argv.slice(2), process.env)
  // The processes of the benchmarks take it from here.
  if (minutes !== undefined) process.env['BENCH_MINUTES'] = String(minutes)
  const failures = await runAll(chosen(await findBenches(), names), json)
  // A missed goal is a figure like any other; only a benchmark that could not be run is a failure.
  process.exit(failures > 0 ? 1 : 0)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

interface FoundBench {
  readonly name: string
  readonly file: string
}

async function findBenches(): Promise<FoundBench[]> {
  const files = globSync('**/*.bench.ts', { cwd: folder }).map((file) => join(folder, file))
  const benches = files.map(async (file) => {
    const { default: bench } = (await import(file)) as { default: Bench }
    return { name: bench.name, file }
  })
  return (await Promise.all(benches)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function runAll(benches: readonly FoundBench[], json: boolean): Promise<number> {
  const all: BenchRow[] = []
  let failures = 0
  for (const bench of benches) {
    const rows: BenchRow[] = []
    const before = processorTime()
    if (!json) console.log(`\n${bench.name} …`)
    try {
      await runInOwnProcess(bench.file, (row) => {
        rows.push(row)
        if (json) console.log(jsonLine(row))
      })
    } catch (error) {
      failures += 1
      console.error(`The benchmark ${bench.name} could not be run: ${(error as Error).message}`)
    }
    if (!json && rows.length > 0) console.log(table(rows))
    const stolen = stolenSince(before)
    if (!json && stolen) console.log(stolen)
    all.push(...rows)
  }
  if (!json) console.log(`\n${verdict(all)}`)
  return failures
}
