/** Is the faster model as good? Paired differences to the peers over seeds: mean and standard error. */
import type { Bench, BenchRow } from '../bench.ts'
import { runBoosting } from './boosting-work.ts'
import { runForest } from './forest-work.ts'
import { studioTable, studioWindow, type Table } from './market-data.ts'
import { Peer } from './peer.ts'
import { realTable } from './real-data.ts'
import { type Scores, scoresOf } from './scores.ts'

const SEEDS = 12
const MEASURES = ['accuracy', 'auc', 'loss'] as const

interface Case {
  readonly name: string
  readonly table: (seed: number) => Table
}

type Contest = (table: Table, seed: number) => Promise<{ ours: Scores; theirs: Scores; peer: string } | null>

function testLabels(table: Table): Int8Array {
  return table.labels.subarray(studioWindow[1], studioWindow[2])
}

const forestContest: Contest = async (table, seed) => {
  const peer = await Peer.open('sklearn_forest', table)
  if (peer === null) return null
  const settings = { trees: 300, leaf: 3, split: 3, seed, jobs: 1, processes: 1 }
  const answer = await peer.run({ windows: [studioWindow], picks: null, settings })
  peer.close()
  const ours = runForest({ table, windows: [studioWindow], picks: null, trees: 300, leaf: 3, split: 3, seed })
  const labels = testLabels(table)
  return { ours: scoresOf(labels, ours), theirs: scoresOf(labels, answer.probabilities), peer: answer.name }
}

const boostingContest: Contest = async (table, seed) => {
  const peer = await Peer.open('xgboost_boosting', table)
  if (peer === null) return null
  const settings = { rounds: 60, depth: 4, eta: 0.1, threads: 1, seed, subsample: 0.8 }
  const answer = await peer.run({ windows: [studioWindow], picks: null, settings })
  peer.close()
  const ours = runBoosting({
    table,
    windows: [studioWindow],
    settings: { rounds: 60, maxDepth: 4, eta: 0.1, subsample: 0.8, seed },
  })
  const labels = testLabels(table)
  return { ours: scoresOf(labels, ours), theirs: scoresOf(labels, answer.probabilities), peer: answer.name }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Holds when ours is not worse by more than two standard errors of the difference. */
function rowsOf(name: string, pairs: { ours: Scores; theirs: Scores; peer: string }[]): BenchRow[] {
  return MEASURES.map((measure) => {
    const differences = pairs.map(({ ours, theirs }) => ours[measure] - theirs[measure])
    const difference = mean(differences)
    const variance = mean(differences.map((value) => (value - difference) ** 2))
    const error = Math.sqrt(variance / (pairs.length - 1))
    const worse = measure === 'loss' ? difference : -difference
    return {
      bench: `${name}, ${measure}, ${pairs.length} seeds, difference ${difference.toFixed(4)} ± ${error.toFixed(4)}`,
      ours: Number(mean(pairs.map(({ ours }) => ours[measure])).toFixed(4)),
      unit: measure,
      peer: pairs[0]!.peer,
      peer_value: Number(mean(pairs.map(({ theirs }) => theirs[measure])).toFixed(4)),
      ratio: null,
      goal: null,
      holds: worse <= 2 * error,
    }
  })
}

const bench: Bench = {
  name: 'quality',
  async run(report) {
    const real = realTable()
    const cases: Case[] = [
      { name: 'noise', table: (seed) => studioTable(100 + seed, 0) },
      { name: 'planted signal', table: (seed) => studioTable(200 + seed) },
      ...(real === null ? [] : [{ name: 'real daily features', table: () => real }]),
    ]
    const contests: [string, Contest][] = [
      ['forest', forestContest],
      ['boosting', boostingContest],
    ]
    for (const [model, contest] of contests) {
      for (const { name, table } of cases) {
        const pairs = []
        for (let seed = 1; seed <= SEEDS; seed++) {
          const pair = await contest(table(seed), seed)
          if (pair !== null) pairs.push(pair)
        }
        if (pairs.length > 0) rowsOf(`quality/${model} on ${name}`, pairs).forEach(report)
      }
    }
  },
}

export default bench
