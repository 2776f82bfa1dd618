import { Random } from '@tradewright/core/random'

/** A kind of work, per user. Seconds are of one thread of a worker. */
export interface WorkKind {
  readonly name: string
  /** Users wait for it at the screen: it goes before long work, as in workers/schedule.ts. */
  readonly isShort: boolean
  /** In the busiest hour. */
  readonly perUserHour: number
  readonly seconds: number
}

/** Assumptions, not measurements: the mix of an instance replaces them (docs/scaling.md). */
const WORK: readonly WorkKind[] = [
  { name: 'allocation or rules backtest', isShort: true, perUserHour: 1, seconds: 0.3 },
  { name: 'ML backtest', isShort: true, perUserHour: 0.2, seconds: 5 },
  { name: 'decision of a deployment', isShort: true, perUserHour: 0.5, seconds: 0.5 },
  { name: 'data collection', isShort: false, perUserHour: 1, seconds: 2 },
  { name: 'robustness board', isShort: false, perUserHour: 0.05, seconds: 20 },
  { name: 'parameter study', isShort: false, perUserHour: 0.05, seconds: 60 },
  { name: 'optimizer run', isShort: false, perUserHour: 0.05, seconds: 300 },
]

/** Long work gives its thread back after a piece, as in jobs/pieces.ts. */
const PIECE_SECONDS = 0.25

interface QueueLoad {
  readonly users: number
  readonly threads: number
  readonly hours: number
  readonly seed: number
}

interface QueueFigures {
  /** Part of the threads' time at work. */
  readonly utilisation: number
  /** Seconds until a thread began, of work that users wait for. */
  readonly shortWaitP95: number
  /** Time until the end over the time it would take alone on one thread. */
  readonly longStretchMedian: number
  readonly jobsPerSecond: number
  /** Pieces of long work, each a job of the queue. */
  readonly piecesPerSecond: number
}

/** Threads that a load keeps busy: the sum of rate times seconds. A queue needs more than that. */
export const busyThreads = (users: number, work: readonly WorkKind[] = WORK): number =>
  users * work.reduce((sum, { perUserHour, seconds }) => sum + (perUserHour * seconds) / 3600, 0)

interface Job {
  readonly arrivedAt: number
  readonly seconds: number
  left: number
}

/**
 * Arrivals by chance (Poisson), times of work exponential around their mean, threads that take short work first and pieces of
 * long work in turn. The busiest hour lasts as long as the simulation.
 */
export function simulateQueue({ users, threads, hours, seed }: QueueLoad, work = WORK): QueueFigures {
  const random = new Random(seed)
  const exponential = (mean: number) => -mean * Math.log(1 - random.float())
  const rate = (kind: WorkKind) => (users * kind.perUserHour) / 3600
  const end = hours * 3600
  const nextArrival = work.map((kind) => exponential(1 / rate(kind)))
  const short: Job[] = []
  const long: Job[] = []
  /** When each busy thread is free, with the rest of its job. */
  const busy: { until: number; job: Job | undefined }[] = []
  const waits: number[] = []
  const stretches: number[] = []
  let [now, worked, jobs, pieces, shortAt, longAt] = [0, 0, 0, 0, 0, 0]
  for (;;) {
    const arrival = Math.min(...nextArrival)
    const freed = busy.reduce((least, { until }) => Math.min(least, until), Infinity)
    now = Math.min(arrival, freed)
    if (now > end) break
    if (arrival <= freed) {
      const at = nextArrival.indexOf(arrival)
      const kind = work[at]!
      const seconds = exponential(kind.seconds)
      ;(kind.isShort ? short : long).push({ arrivedAt: now, seconds, left: seconds })
      nextArrival[at] = now + exponential(1 / rate(kind))
      jobs++
    } else {
      const place = busy.findIndex(({ until }) => until === freed)
      const job = busy[place]!.job
      busy.splice(place, 1)
      if (job && job.left > 0) long.push(job)
      else if (job) stretches.push((now - job.arrivedAt) / job.seconds)
    }
    while (busy.length < threads && (shortAt < short.length || longAt < long.length)) {
      if (shortAt < short.length) {
        const { arrivedAt, seconds } = short[shortAt++]!
        waits.push(now - arrivedAt)
        busy.push({ until: now + seconds, job: undefined })
        worked += seconds
      } else {
        const job = long[longAt++]!
        const seconds = Math.min(PIECE_SECONDS, job.left)
        job.left -= seconds
        busy.push({ until: now + seconds, job })
        worked += seconds
        pieces++
      }
    }
  }
  return {
    utilisation: worked / (threads * end),
    shortWaitP95: quantile(waits, 0.95),
    longStretchMedian: quantile(stretches, 0.5),
    jobsPerSecond: jobs / end,
    piecesPerSecond: pieces / end,
  }
}

/** NaN would be no figure: a queue that never began anything waits for ever. */
function quantile(values: readonly number[], part: number): number {
  if (values.length === 0) return Infinity
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))]!
}
