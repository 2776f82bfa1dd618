/** A prediction whose outcome is known. */
interface SettledPrediction {
  /** The probability that was said of the target coming true. */
  readonly probability: number
  readonly happened: boolean
}

interface CalibrationBin {
  /** Probabilities from (included) to (excluded; 1 is in the last bin). */
  readonly from: number
  readonly to: number
  readonly count: number
  readonly saidMean: number
  readonly happenedShare: number
  /** 95 % Wilson interval of the share. */
  readonly low: number
  readonly high: number
}

export interface Calibration {
  readonly count: number
  /** The bins that have predictions, lowest first. */
  readonly bins: readonly CalibrationBin[]
  /** Mean squared difference of what was said and what happened; 0.25 is a coin. */
  readonly brier: number | null
}

const BINS = 10
/** The quantile of the normal distribution for an interval of 95 %. */
const Z = 1.959963984540054

export function calibrationOf(settled: readonly SettledPrediction[]): Calibration {
  const byBin = Map.groupBy(settled, ({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)))
  const bins = [...byBin].sort(([a], [b]) => a - b).map(([bin, own]) => binOf(bin, own))
  const error = settled.reduce((sum, { probability, happened }) => sum + (probability - Number(happened)) ** 2, 0)
  return { count: settled.length, bins, brier: settled.length === 0 ? null : error / settled.length }
}

function binOf(bin: number, own: readonly SettledPrediction[]): CalibrationBin {
  const count = own.length
  const happened = own.filter((one) => one.happened).length
  const saidMean = own.reduce((sum, { probability }) => sum + probability, 0) / count
  const interval = wilson(happened, count)
  return { from: bin / BINS, to: (bin + 1) / BINS, count, saidMean, happenedShare: happened / count, ...interval }
}

/** Wilson (1927): holds for few trials and for shares near 0 and 1, unlike the normal interval. */
export function wilson(successes: number, trials: number): { low: number; high: number } {
  const share = successes / trials
  const scale = 1 + Z ** 2 / trials
  const centre = (share + Z ** 2 / (2 * trials)) / scale
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / trials + Z ** 2 / (4 * trials ** 2))
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}
