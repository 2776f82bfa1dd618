import { type BenchRow, benchRow, median } from '../bench.ts'

export interface Timing {
  readonly wallMs: number
  /** The time of the whole process: robust on a machine that others use too. */
  readonly cpuMs: number
}

export async function timed(work: () => void | Promise<void>): Promise<Timing> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 }
}

/** Ours and the peer's milliseconds, per run, interleaved by the caller. */
export function speedRow(
  bench: string,
  ours: readonly number[],
  peer: { name: string; values: readonly number[] } | null,
  goal: number,
): BenchRow {
  return benchRow({
    bench,
    ours: median(ours),
    unit: 'ms',
    ...(peer === null ? {} : { peer: { name: peer.name, value: median(peer.values) } }),
    ratio: 'peer / ours',
    goal: { on: 'ratio', atLeast: goal },
  })
}

/** How often each side is measured. */
export const REPEATS = Number(process.env['BENCH_REPEATS'] ?? 3)
