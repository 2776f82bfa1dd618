import { RecordFile } from '@tradewright/contract/forward-records'
import type { RecordVerdict } from '@tradewright/core/forward-record'
import { Problem } from '@tradewright/core/problem'
import { readFile } from 'node:fs/promises'
import { verifyFile } from '../../forward-records/own-records.ts'
import { sentenceFor } from '../input/sentence.ts'

/** A compute task: the chain of a record in a file, computed anew. */
export async function run({ path }: { path: string }): Promise<RecordVerdict> {
  const parsed = RecordFile.safeParse(read(await readFile(path, 'utf8')))
  if (parsed.success) return verifyFile(parsed.data)
  throw new Problem('invalid', 'record.unreadable', sentenceFor(parsed.error))
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const sentence = 'This is not a forward record: the file is not JSON, or it is cut short.'
    throw new Problem('invalid', 'record.unreadable', sentence)
  }
}
