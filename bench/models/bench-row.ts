/** One measured line; the peer's fields are null where there is no peer or it is not installed. */
export interface BenchRow {
  bench: string
  ours: number
  unit: string
  peer: string | null
  peer_value: number | null
  ratio: number | null
  goal: number | null
  holds: boolean | null
}

export interface Bench {
  name: string
  run(report: (row: BenchRow) => void): Promise<void>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export interface Timing {
  readonly wallMs: number
  /** Of the whole process: robust on a machine that others use too. */
  readonly cpuMs: number
}

export async function timed(work: () => void | Promise<void>): Promise<Timing> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 }
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

/** Ours and the peer's milliseconds, per run, interleaved by the caller. */
export function speedRow(
  bench: string,
  ours: readonly number[],
  peer: { name: string; values: readonly number[] } | null,
  goal: number,
): BenchRow {
  const mine = median(ours)
  const theirs = peer === null ? null : median(peer.values)
  const ratio = theirs === null ? null : theirs / mine
  return {
    bench,
    ours: rounded(mine, 2),
    unit: 'ms',
    peer: peer?.name ?? null,
    peer_value: theirs === null ? null : rounded(theirs, 1),
    ratio: ratio === null ? null : rounded(ratio, 2),
    goal,
    holds: ratio === null ? null : ratio >= goal,
  }
}

/** How often each side is measured. */
export const REPEATS = Number(process.env['BENCH_REPEATS'] ?? 3)
