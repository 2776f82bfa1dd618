import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BenchRow } from './bench.ts'
import type { BenchMessage } from './one-bench.ts'

const program = fileURLToPath(new URL('./one-bench.ts', import.meta.url))

/**
 * Runs the benchmark of a file in a process of its own: what V8 learned from the data of one would slow down the next,
 * as the linear model was 1.6 times slower after the forests.
 */
export function runInOwnProcess(file: string, onRow: (row: BenchRow) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = fork(program, [file])
  child.on('message', (message: BenchMessage) => {
    if ('row' in message) onRow(message.row)
    else reject(new Error(message.failure))
  })
  child.once('error', reject)
  child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`its process ended with ${code}`))))
  return promise
}
