// Runs the benchmark of one file for `main.ts` and sends it the rows.
import type { Bench, BenchRow } from './bench.ts'

/** A message of a benchmark's process: a row as it is measured, or why there is no more. */
export type BenchMessage = { row: BenchRow } | { failure: string }

const send = (message: BenchMessage) =>
  new Promise<void>((resolve) => process.send!(message, undefined, undefined, () => resolve()))

process.once('disconnect', () => process.exit(1))
try {
  const { default: bench } = (await import(process.argv[2]!)) as { default: Bench }
  await bench.run((row) => void send({ row }))
} catch (error) {
  await send({ failure: (error as Error).message })
}
process.exit(0)
