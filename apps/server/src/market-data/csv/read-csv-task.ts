import { closeSync, openSync, readSync } from 'node:fs'
import type { TaskContext } from '../../workers/task.ts'
import { type CsvFile, type CsvImport, importCsv } from './csv-import.ts'
import type { CsvBytes } from './records.ts'

export interface CsvToRead extends Omit<CsvFile, 'bytes'> {
  readonly path: string
}

const CHUNK_BYTES = 64 * 1024

/** A compute task: reads an uploaded file. Never more than a chunk of its text is in memory. */
export async function run(
  { path, ...file }: CsvToRead,
  { isCancelled, transfer }: Pick<TaskContext, 'isCancelled' | 'transfer'>,
): Promise<CsvImport> {
  const read = await importCsv({ ...file, bytes: bytesOf(path, isCancelled) })
  const { timestamps, columns, knownAt } = read.bronze
  for (const column of [timestamps, ...Object.values(columns), ...(knownAt ? [knownAt] : [])])
    transfer(column.buffer as ArrayBuffer)
  return read
}

function bytesOf(path: string, isCancelled: () => boolean): CsvBytes {
  return function* () {
    const file = openSync(path, 'r')
    try {
      for (;;) {
        if (isCancelled()) throw new Error('reading the file was cancelled')
        // A buffer of its own for each chunk: the parser keeps a part of the last one.
        const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
        const length = readSync(file, chunk)
        if (length === 0) return
        yield chunk.subarray(0, length)
      }
    } finally {
      closeSync(file)
    }
  }
}
