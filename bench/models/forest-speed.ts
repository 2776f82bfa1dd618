import type { BenchRow } from '../bench.ts'
import { REPEATS, speedRow, timed } from './timing.ts'
import { type ForestWork, runForest, runForestOn } from './forest-work.ts'
import { Peer } from './peer.ts'
import { ThreadPool } from './thread-pool.ts'

interface ForestSpeed {
  readonly name: string
  readonly work: ForestWork
  /** `units` divides the times; `peerWork` has fewer evaluations for the slow side. */
  readonly units: number
  readonly peerWork?: ForestWork
  readonly peerUnits?: number
  /** On one thread and on two. */
  readonly goals: readonly [number, number]
  /** How Python may use two cores: threads within a forest, or processes. */
  readonly peerWays: readonly ('jobs' | 'processes')[]
  /** How often the peer takes its turn, where that takes minutes. */
  readonly peerRepeats?: number
}

const WAYS = { jobs: 'two of its own', processes: 'two processes' } as const

const settingsOf = ({ trees, leaf, split, seed }: ForestWork, jobs: number, processes: number) => ({
  trees,
  leaf,
  split,
  seed,
  jobs,
  processes,
})

/** One thread by processor time, two threads by wall time; ours and theirs take turns. */
export async function measureForest(speed: ForestSpeed, report: (row: BenchRow) => void): Promise<void> {
  const { work, units, peerWork = work, peerUnits = units, peerRepeats = REPEATS } = speed
  const peer = await Peer.open('sklearn_forest', work.table)
  const pool = new ThreadPool(2)
  const ask = (jobs: number, processes: number) =>
    peer?.run({
      windows: peerWork.windows,
      picks: peerWork.picks?.map((columns) => [...columns]) ?? null,
      settings: settingsOf(peerWork, jobs, processes),
    })
  try {
    runForest(work)
    await runForestOn(pool, work)
    const ours: [number[], number[]] = [[], []]
    const alone: number[] = []
    const onTwoCores = new Map(speed.peerWays.map((way) => [way, [] as number[]]))
    let name = ''
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      ours[0].push((await timed(() => void runForest(work))).cpuMs / units)
      const one = repeat < peerRepeats ? await ask(1, 1) : undefined
      ours[1].push((await timed(async () => void (await runForestOn(pool, work)))).wallMs / units)
      if (one === undefined) continue
      name = one.name
      alone.push(one.cpuMs / peerUnits)
      for (const [way, times] of onTwoCores) {
        const two = await (way === 'jobs' ? ask(2, 1) : ask(1, 2))
        times.push(Math.min(one.wallMs, two!.wallMs) / peerUnits)
      }
    }
    const peerOf = (values: readonly number[]) => (peer === null ? null : { name, values })
    report(speedRow(`${speed.name}, 1 thread`, ours[0], peerOf(alone), speed.goals[0]))
    for (const [way, times] of onTwoCores) {
      report(speedRow(`${speed.name}, 2 threads beside ${WAYS[way]}`, ours[1], peerOf(times), speed.goals[1]))
    }
  } finally {
    peer?.close()
    await pool.close()
  }
}
