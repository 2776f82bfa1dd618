import { type Bench, benchRow } from '../bench.ts'
import { busyThreads, simulateQueue } from './queue-simulation.ts'

const USERS = [1000, 10_000]
/** Threads over the busy ones. */
const HEADROOM = [1.1, 1.4]

/** How long work waits in the busiest hour: a simulation, which measures nothing of this machine. */
const bench: Bench = {
  name: 'queue-load',
  async run(report) {
    for (const users of USERS) {
      for (const headroom of HEADROOM) {
        const threads = Math.ceil(busyThreads(users) * headroom)
        const figures = simulateQueue({ users, threads, hours: 2, seed: 1 })
        const name = `queue-load/${users} users, ${threads} threads (${headroom} of the busy ones)`
        report(benchRow({ bench: `${name}, at work`, ours: 100 * figures.utilisation, unit: '%' }))
        report(benchRow({ bench: `${name}, wait of short work, p95`, ours: figures.shortWaitP95, unit: 's' }))
        report(benchRow({ bench: `${name}, long work, median`, ours: figures.longStretchMedian, unit: 'times' }))
        report(
          benchRow({
            bench: `${name}, jobs and pieces`,
            ours: figures.jobsPerSecond + figures.piecesPerSecond,
            unit: '1/s',
          }),
        )
      }
    }
  },
}

export default bench
