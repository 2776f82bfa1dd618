// `npm run bench [name…] [--json]`: the home of every benchmark.
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chosen, readArguments } from './arguments.ts'
import type { Bench, BenchRow } from './bench.ts'
import { jsonLine, table, verdict } from './report.ts'

const folder = dirname(fileURLToPath(import.meta.url))

try {
  const { names, json } = readArguments(process.argv.slice(2), process.env)
  const failures = await runAll(chosen(await findBenches(), names), json)
  // A missed goal is a figure like any other; only a benchmark that could not be run is a failure.
  process.exit(failures > 0 ? 1 : 0)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

async function findBenches(): Promise<Bench[]> {
  const files = globSync('**/*.bench.ts', { cwd: folder })
  const modules = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<{ default: Bench }>))
  return modules.map((module) => module.default).sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function runAll(benches: readonly Bench[], json: boolean): Promise<number> {
  const all: BenchRow[] = []
  let failures = 0
  for (const bench of benches) {
    const rows: BenchRow[] = []
    if (!json) console.log(`\n${bench.name} …`)
    try {
      await bench.run((row) => {
        rows.push(row)
        if (json) console.log(jsonLine(row))
      })
    } catch (error) {
      failures += 1
      console.error(`The benchmark ${bench.name} could not be run: ${(error as Error).message}`)
    }
    if (!json && rows.length > 0) console.log(table(rows))
    all.push(...rows)
  }
  if (!json) console.log(`\n${verdict(all)}`)
  return failures
}
