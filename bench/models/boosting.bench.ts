import type { Bench, BenchRow } from '../bench.ts'
import { REPEATS, speedRow, timed } from './timing.ts'
import { type BoostingWork, runBoosting, runBoostingOn } from './boosting-work.ts'
import { largeTable, largeWindow, studioTable, studioWindow, studioWindows } from './market-data.ts'
import { Peer } from './peer.ts'
import { ThreadPool } from './thread-pool.ts'

async function measure(
  name: string,
  work: BoostingWork,
  goal: number,
  report: (row: BenchRow) => void,
  repeats = REPEATS,
): Promise<void> {
  const peer = await Peer.open('xgboost_boosting', work.table)
  const pool = new ThreadPool(2)
  const settings = { rounds: work.settings.rounds!, depth: 6, eta: 0.1, seed: 1 }
  const ask = (threads: number) => peer?.run({ windows: work.windows, picks: null, settings: { ...settings, threads } })
  try {
    // Enough for the compiler to have finished with the kernel.
    const warmUp = { ...work, settings: { rounds: work.table.labels.length > 100_000 ? 10 : 300 } }
    runBoosting(warmUp)
    await runBoostingOn(pool, warmUp)
    const ours: [number[], number[]] = [[], []]
    const theirs: [number[], number[]] = [[], []]
    let library = ''
    for (let repeat = 0; repeat < repeats; repeat++) {
      ours[0].push((await timed(() => void runBoosting(work))).cpuMs)
      const one = await ask(1)
      ours[1].push((await timed(async () => void (await runBoostingOn(pool, work)))).wallMs)
      const two = await ask(2)
      if (one === undefined || two === undefined) continue
      library = one.name
      theirs[0].push(one.cpuMs)
      theirs[1].push(Math.min(one.wallMs, two.wallMs))
    }
    const peerOf = (threads: 0 | 1) => (peer === null ? null : { name: library, values: theirs[threads] })
    report(speedRow(`${name}, 1 thread`, ours[0], peerOf(0), goal))
    report(speedRow(`${name}, 2 threads`, ours[1], peerOf(1), goal))
  } finally {
    peer?.close()
    await pool.close()
  }
}

const bench: Bench = {
  name: 'boosting',
  async run(report) {
    const table = studioTable(7)
    const settings = { rounds: 300 }
    await measure('boosting/W4 boosting, 300 rounds', { table, windows: [studioWindow], settings }, 4.5, report)
    await measure('boosting/W4wf boosting, ten refits', { table, windows: studioWindows, settings }, 4.5, report)
    const large = { table: largeTable(10), windows: [largeWindow], settings: { rounds: 100 } }
    await measure('boosting/W3 boosting, 100 rounds, 500,000 rows', large, 1.1, report, 1)
  },
}

export default bench
