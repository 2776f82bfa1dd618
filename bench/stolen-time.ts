import { readFileSync } from 'node:fs'

/** Processor time since the start of the machine, in ticks: all of it, and what its host gave to other machines. */
interface ProcessorTime {
  readonly all: number
  readonly stolen: number
}

/** Position of `steal` among the times of the line "cpu" in /proc/stat. */
const STEAL = 7
/** Times after it are part of earlier ones. */
const COLUMNS = 8

/** Undefined where the system does not tell. */
export function processorTime(): ProcessorTime | undefined {
  if (process.platform !== 'linux') return undefined
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const times = line
    .split(/\s+/)
    .slice(1, 1 + COLUMNS)
    .map(Number)
  return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[STEAL] ?? 0 }
}

/** A sentence when the host took enough to lengthen the slowest answers. */
export function stolenSince(before: ProcessorTime | undefined): string | undefined {
  const now = processorTime()
  if (!before || !now) return undefined
  const percent = (100 * (now.stolen - before.stolen)) / Math.max(1, now.all - before.all)
  return percent >= 0.5
    ? `The host gave ${percent.toFixed(1)} % of the processor time to other machines meanwhile: the slowest times are its.`
    : undefined
}
