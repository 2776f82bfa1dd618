import type { BenchRow } from '../bench.ts'
import { REPEATS, speedRow, timed } from './timing.ts'
import { type ForestWork, runForest, runForestOn } from './forest-work.ts'
import { Peer } from './peer.ts'
import { ThreadPool } from './thread-pool.ts'

export interface ForestSpeed {
  readonly name: string
  readonly work: ForestWork
  /** What the times are divided by, and fewer evaluations for the slow side. */
  readonly units: number
  readonly peerWork?: ForestWork
  readonly peerUnits?: number
  readonly goals: readonly [number, number]
  /** How Python uses two cores best here: threads within a forest, or processes. */
  readonly peerParallel: 'jobs' | 'processes'
  readonly repeats?: number
}

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
  const { work, units, peerWork = work, peerUnits = units, repeats = REPEATS } = speed
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
    const theirs: [number[], number[]] = [[], []]
    let name = ''
    for (let repeat = 0; repeat < repeats; repeat++) {
      ours[0].push((await timed(() => void runForest(work))).cpuMs / units)
      const one = await ask(1, 1)
      ours[1].push((await timed(async () => void (await runForestOn(pool, work)))).wallMs / units)
      const two = await (speed.peerParallel === 'jobs' ? ask(2, 1) : ask(1, 2))
      if (one === undefined || two === undefined) continue
      name = one.name
      theirs[0].push(one.cpuMs / peerUnits)
      theirs[1].push(Math.min(one.wallMs, two.wallMs) / peerUnits)
    }
    const peerOf = (threads: 0 | 1) => (peer === null ? null : { name, values: theirs[threads] })
    report(speedRow(`${speed.name}, 1 thread`, ours[0], peerOf(0), speed.goals[0]))
    report(speedRow(`${speed.name}, 2 threads`, ours[1], peerOf(1), speed.goals[1]))
  } finally {
    peer?.close()
    await pool.close()
  }
}
