// `node scripts/planted-faults/draw.ts [commit]`: the files and lines in which the faults were to be planted. Drawn before a
// test was read, from the sources of one commit, so that the choice of places can be repeated; the faults themselves are
// written by hand in the drawn file, or in the nearest function of it in which a realistic mistake can be made.
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random } from '../../packages/core/src/random.ts'

const SEED = 37
const DRAWN_AT = 'a5e15a02'

/** How many places are drawn from which files; within a stratum, each line has the same chance and a file is drawn once. */
const STRATA: [area: string, places: number, files: RegExp][] = [
  ['engine: market', 3, /^packages\/engine\/src\/market\//],
  ['engine: features', 2, /^packages\/engine\/src\/(features|transforms)\//],
  ['engine: models', 2, /^packages\/engine\/src\/(models|kernels)\//],
  ['engine: kernels', 1, /^packages\/engine\/kernels\/[^/]+\//],
  ['engine: trading', 3, /^packages\/engine\/src\/trading\//],
  ['engine: backtest', 2, /^packages\/engine\/src\/(backtest|construction|study)\//],
  ['engine: live', 1, /^packages\/engine\/src\/live\//],
  ['engine: performance', 2, /^packages\/engine\/src\/performance\//],
  ['engine: rules', 1, /^packages\/engine\/src\/rules\//],
  ['engine: robustness', 1, /^packages\/engine\/src\/robustness\//],
  ['engine: optimizer', 2, /^packages\/engine\/src\/optimizer\//],
  ['live trading', 8, /^apps\/server\/src\/live-trading\//],
  ['brokerage', 2, /^apps\/server\/src\/brokerage\//],
  ['portfolio', 2, /^apps\/server\/src\/portfolio\//],
  ['external signals', 2, /^apps\/server\/src\/(external-signals|forward-records)\//],
  ['http', 3, /^apps\/server\/src\/http\//],
  ['auth', 3, /^apps\/server\/src\/(auth|secrets)\/|^apps\/server\/src\/stores\/auth\//],
  ['owners', 3, /^apps\/server\/src\/stores\/(?!series|migrations|backup|auth|[^/]+$)/],
  ['stores', 4, /^apps\/server\/src\/stores\/(?!migrations|backup)/],
  ['backup and migrations', 1, /^apps\/server\/src\/stores\/(backup\/|user-import\/|migrate)/],
  ['jobs and workers', 3, /^apps\/server\/src\/(jobs|workers|optimizer|backtests|studies)\//],
  ['operation', 2, /^apps\/server\/src\/(commands\/|observe\/|[^/]+$)/],
  ['market data', 3, /^apps\/server\/src\/(market-data|tickers)\//],
  ['adapters', 3, /^apps\/server\/src\/adapters\//],
  ['assistant and MCP', 5, /^apps\/server\/src\/(assistant|mcp|proposals|alerts)\//],
  ['core', 2, /^packages\/core\/src\//],
  ['contract', 1, /^packages\/contract\/src\//],
  ['command line and Python', 2, /^apps\/cli\/src\/|^scripts\/(python-client\/|[a-z-]+\.mjs$)/],
  ['web: screens', 8, /^apps\/web\/src\/features\//],
  ['web: shared', 3, /^apps\/web\/src\/(?!features\/)/],
]
/** Shorter files are mostly types and names, in which there is nothing to get wrong. */
const MIN_LINES = 40
const IS_TEST = /\.test\.tsx?$|\.spec\.ts$|\.campaign\.ts$|\.d\.m?ts$|\/(generated|test-support|ports)\//

const commit = process.argv[2] ?? DRAWN_AT
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const counted = execFileSync('git', ['grep', '-c', '', commit, '--', 'packages', 'apps', 'scripts'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
const sources = counted
  .trim()
  .split('\n')
  .map((line) => /^[^:]+:(.+):(\d+)$/.exec(line)!)
  .map(([, file, lines]) => ({ file: file!, lines: Number(lines) }))
  .filter(({ file, lines }) => /\.(ts|tsx|mjs)$/.test(file) && !IS_TEST.test(file) && lines >= MIN_LINES)

const random = new Random(SEED)
const drawn = new Set<string>()
for (const [area, places, pattern] of STRATA) {
  for (let place = 0; place < places; place++) {
    const left = sources.filter(({ file }) => pattern.test(file) && !drawn.has(file))
    const { file, line } = at(left, random.below(left.reduce((sum, { lines }) => sum + lines, 0)))
    drawn.add(file)
    console.log(`${area.padEnd(24)} ${file}:${line}`)
  }
}

function at(files: typeof sources, offset: number): { file: string; line: number } {
  let before = 0
  for (const { file, lines } of files) {
    if (offset < before + lines) return { file, line: offset - before + 1 }
    before += lines
  }
  throw new Error('The offset lies beyond the last line.')
}
