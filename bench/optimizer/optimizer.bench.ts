import { type SearchData, columnOf, columnsOf } from '@tradewright/engine/optimizer/search-data'
import type { Individual } from '@tradewright/engine/optimizer/request'
import { createComputePool } from '../../apps/server/src/workers/compute-pool.ts'
import type { tasks } from '../../apps/server/src/workers/tasks.ts'
import { type Bench, type BenchRow, benchRow, median } from '../bench.ts'
import { Peer } from '../models/peer.ts'
import { REPEATS, type Timing, timed } from '../models/timing.ts'
import { defaultRequest, type FinishedRun, runDefault } from './default-run.ts'

const registry = new URL('../../apps/server/src/workers/tasks.ts', import.meta.url)

interface Case {
  readonly name: string
  readonly walkForward: Parameters<typeof defaultRequest>[0]
  /** Seconds, end to end on two threads. */
  readonly under: number
  /** Evaluations that the peer does. */
  readonly peerEvaluations: number
}

const cases: readonly Case[] = [
  { name: 'one split', walkForward: undefined, under: 15, peerEvaluations: 16 },
  {
    name: 'walk-forward',
    walkForward: { trainPct: 50, testPct: 10, stepPct: undefined },
    under: 45,
    peerEvaluations: 3,
  },
]

const bench: Bench = {
  name: 'optimizer',
  async run(report) {
    for (const one of cases) await measure(one, report)
  },
}

export default bench

async function measure({ name, walkForward, under, peerEvaluations }: Case, report: (row: BenchRow) => void) {
  const request = defaultRequest(walkForward)
  const [one, two] = await inTurns(request)
  const evaluations = one.run.report.trials
  if (two.run.report.trials !== evaluations || two.run.report.fitness !== one.run.report.fitness) {
    throw new Error('two threads found something else than one')
  }
  const title = `optimizer/default run, ${name}`
  report(
    benchRow({
      bench: `${title}, 2 threads, end to end`,
      ours: two.wallMs / 1000,
      unit: 's',
      goal: { on: 'ours', under },
    }),
  )
  report(
    benchRow({
      bench: `${title}, 2 threads beside 1 (wall)`,
      ours: one.wallMs / two.wallMs,
      unit: 'times',
      goal: { on: 'ours', atLeast: 1.7 },
    }),
  )
  const individuals = firstTrials(one.run, peerEvaluations)
  for (const [threads, ours] of [
    [1, (1000 * evaluations) / one.cpuMs],
    [2, (1000 * evaluations) / two.wallMs],
  ] as const) {
    const peer = await askPeer(one.run.prepared.searches[0]!, individuals, threads)
    report(
      benchRow({
        bench: `${title}, evaluations with features and all, ${threads === 1 ? '1 thread (processor time)' : '2 threads (wall)'}`,
        ours,
        unit: 'per s',
        ...(peer && { peer }),
        goal: { on: 'ratio', atLeast: 20 },
      }),
    )
  }
}

interface MeasuredRun extends Timing {
  readonly run: FinishedRun
}

/** On one thread and on two, by turns. Each has done a whole run before, as a server that has been used. */
async function inTurns(request: ReturnType<typeof defaultRequest>): Promise<[MeasuredRun, MeasuredRun]> {
  const pools = [1, 2].map((threads) => createComputePool<typeof tasks>({ threads, registry }))
  try {
    const runs = pools.map((): MeasuredRun[] => [])
    for (const pool of pools) await runDefault(request, pool)
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      for (const [which, pool] of pools.entries()) {
        let run: FinishedRun | undefined
        const timing = await timed(async () => void (run = await runDefault(request, pool)))
        runs[which]!.push({ ...timing, run: run! })
      }
    }
    const [one, two] = runs.map(typical)
    return [one!, two!]
  } finally {
    for (const pool of pools) await pool.close()
  }
}

const typical = (runs: readonly MeasuredRun[]): MeasuredRun => ({
  run: runs[0]!.run,
  wallMs: median(runs.map(({ wallMs }) => wallMs)),
  cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
})

/** Individuals of the first generation, which breeding has not made alike yet. */
const firstTrials = ({ history }: FinishedRun, count: number): readonly Individual[] =>
  history[0]!.members.slice(0, count)

/** The same columns, windows and forests; its features are computed already, which ours are not. */
async function askPeer(searchData: SearchData, individuals: readonly Individual[], threads: 1 | 2) {
  const table = {
    columns: Array.from(searchData.genes, (_, column) => Float64Array.from(columnOf(searchData, column))),
    labels: searchData.searchLabels.map((label) => Math.max(0, label)),
  }
  const peer = await Peer.open('sklearn_forest', table)
  if (!peer) {
    console.error('scikit-learn is not installed (Debian: python3-sklearn): the optimizer is measured without it.')
    return undefined
  }
  try {
    const settings = { trees: 100, leaf: 1, split: 2, seed: 42, jobs: 1, processes: threads }
    const windows = searchData.windows.map(({ train, test }) => [train.from, train.to, test.to] as const)
    const picks = individuals.map(({ genes }) => Array.from(columnsOf(searchData, genes)))
    const { name, wallMs, cpuMs } = await peer.run({ windows, picks, settings })
    const millis = threads === 1 ? cpuMs : wallMs
    return { name, value: (1000 * individuals.length) / millis }
  } finally {
    peer.close()
  }
}
