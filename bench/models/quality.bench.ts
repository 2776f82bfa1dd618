/** Is the faster model as good? Paired differences to the peers over seeds, beside those of a peer to itself. */
import type { Bench, BenchRow } from '../bench.ts'
import { runBoosting } from './boosting-work.ts'
import { runForest } from './forest-work.ts'
import { middleTable, middleWindow, studioTable, studioWindow, type Table, type Window } from './market-data.ts'
import { Peer, type PeerScript } from './peer.ts'
import { realTable } from './real-data.ts'
import { type Scores, scoresOf } from './scores.ts'

const SEEDS = 12
const MEASURES = ['accuracy', 'auc', 'loss'] as const

interface Case {
  readonly name: string
  readonly window: Window
  readonly table: (seed: number) => Table
  /** A large table needs fewer trees for a steady answer. */
  readonly trees: number
}

interface Contest {
  readonly script: PeerScript
  readonly ours: (table: Table, round: Case, seed: number) => Float64Array
  readonly settings: (round: Case, seed: number) => Record<string, number>
}

const forest: Contest = {
  script: 'sklearn_forest',
  ours: (table, { window, trees }, seed) =>
    runForest({ table, windows: [window], picks: null, trees, leaf: 3, split: 3, seed })[0]!,
  settings: ({ trees }, seed) => ({ trees, leaf: 3, split: 3, seed, jobs: 1, processes: 1 }),
}

const boosting: Contest = {
  script: 'xgboost_boosting',
  ours: (table, { window }, seed) =>
    runBoosting({
      table,
      windows: [window],
      settings: { rounds: 60, maxDepth: 4, eta: 0.1, subsample: 0.8, seed },
    }),
  settings: (_, seed) => ({ rounds: 60, depth: 4, eta: 0.1, threads: 1, subsample: 0.8, seed }),
}

interface Result {
  readonly ours: Scores
  readonly theirs: Scores
  /** The peer with another seed: how much chance alone changes. */
  readonly again: Scores
  readonly peer: string
}

async function compete(contest: Contest, round: Case, seed: number): Promise<Result | null> {
  const table = round.table(seed)
  const peer = await Peer.open(contest.script, table)
  if (peer === null) return null
  try {
    const labels = table.labels.subarray(round.window[1], round.window[2])
    const ask = (peerSeed: number) =>
      peer.run({ windows: [round.window], picks: null, settings: contest.settings(round, peerSeed) })
    const first = await ask(seed)
    const second = await ask(seed + 1000)
    return {
      ours: scoresOf(labels, contest.ours(table, round, seed)),
      theirs: scoresOf(labels, first.probabilities),
      again: scoresOf(labels, second.probabilities),
      peer: first.name,
    }
  } finally {
    peer.close()
  }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function meanAndError(values: number[]) {
  const middle = mean(values)
  return { middle, error: Math.sqrt(mean(values.map((value) => (value - middle) ** 2)) / (values.length - 1)) }
}

/** Holds when ours is not worse by more than two standard errors of the difference. */
function rowsOf(name: string, results: Result[]): BenchRow[] {
  return MEASURES.map((measure) => {
    const { middle, error } = meanAndError(results.map(({ ours, theirs }) => ours[measure] - theirs[measure]))
    const itself = meanAndError(results.map(({ again, theirs }) => again[measure] - theirs[measure]))
    const worse = measure === 'loss' ? middle : -middle
    const written = (value: { middle: number; error: number }) =>
      `${value.middle.toFixed(4)} ± ${value.error.toFixed(4)}`
    return {
      bench:
        `${name}, ${measure}, ${results.length} seeds, difference ${written({ middle, error })} ` +
        `(peer to itself ${written(itself)})`,
      ours: Number(mean(results.map(({ ours }) => ours[measure])).toFixed(4)),
      unit: measure,
      peer: results[0]!.peer,
      peer_value: Number(mean(results.map(({ theirs }) => theirs[measure])).toFixed(4)),
      ratio: null,
      goal: null,
      holds: worse <= 2 * error,
    }
  })
}

function casesAtHand(): Case[] {
  const small = { window: studioWindow, trees: 300 }
  const real: Case = { ...small, name: 'real daily features', table: (seed) => realTable(seed)! }
  return [
    { ...small, name: 'noise', table: (seed) => studioTable(100 + seed, 0) },
    { ...small, name: 'planted signal', table: (seed) => studioTable(200 + seed) },
    ...(realTable(0) === null ? [] : [real]),
    { name: 'a larger table', window: middleWindow, trees: 40, table: (seed) => middleTable(300 + seed) },
  ]
}

const bench: Bench = {
  name: 'quality',
  async run(report) {
    for (const [model, contest] of [
      ['forest', forest],
      ['boosting', boosting],
    ] as const) {
      for (const round of casesAtHand()) {
        const results: Result[] = []
        for (let seed = 1; seed <= SEEDS; seed++) {
          const result = await compete(contest, round, seed)
          if (result !== null) results.push(result)
        }
        if (results.length > 0) rowsOf(`quality/${model} on ${round.name}`, results).forEach(report)
      }
    }
  },
}

export default bench
