/** Memory of the process after so many requests. */
export interface MemorySample {
  readonly requests: number
  readonly megabytes: number
}

interface MemoryReport {
  readonly warmMb: number
  readonly lastMb: number
  readonly peakMb: number
  readonly mbPer10000: number
  readonly isGrowing: boolean
}

/** Caches and compiled code fill up in the first part of a run. */
const WARM_UP = 0.3
/** A fraction of the warm level; below it, growth is the garbage collector's choice of when to work. */
const TOLERANCE = 0.25

/** Growth from the first to the last fifth of what came after the warm-up, and the slope over all of it. */
export function memoryReport(samples: readonly MemorySample[]): MemoryReport | undefined {
  const after = samples.slice(Math.floor(samples.length * WARM_UP))
  const fifth = Math.ceil(after.length / 5)
  if (after.length < 10) return undefined
  const warmMb = median(after.slice(0, fifth))
  const lastMb = median(after.slice(-fifth))
  return {
    warmMb,
    lastMb,
    peakMb: Math.max(...samples.map(({ megabytes }) => megabytes)),
    mbPer10000: slope(after) * 10_000,
    isGrowing: lastMb > warmMb * (1 + TOLERANCE),
  }
}

const median = (samples: readonly MemorySample[]): number =>
  samples.map(({ megabytes }) => megabytes).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)]!

/** Least squares, megabytes per request. */
function slope(samples: readonly MemorySample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ requests }) => requests)), mean(samples.map(({ megabytes }) => megabytes))]
  const covariance = samples.reduce((sum, one) => sum + (one.requests - x) * (one.megabytes - y), 0)
  const variance = samples.reduce((sum, one) => sum + (one.requests - x) ** 2, 0)
  return variance === 0 ? 0 : covariance / variance
}
