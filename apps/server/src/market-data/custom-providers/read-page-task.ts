import { excessOfJson } from '../../excessive-json.ts'
import type { TaskContext } from '../../workers/task.ts'
import { type Page, readAnswer, type SentPage, UnreadablePage } from './records.ts'

/** The class of an error does not travel between threads, so what is wrong with a page is a result. */
export type PageReading =
  | { readonly is: 'read'; readonly page: Page }
  | { readonly is: 'unreadable'; readonly why: string }
  | { readonly is: 'not JSON' }

/** A page of 16 MB full of prices has two million values. */
const MAX_JSON = { values: 3_000_000, depth: 100 }

/** A compute task: one large page of a custom provider. */
export function run(sent: SentPage, { transfer }: Pick<TaskContext, 'transfer'>): PageReading {
  if (excessOfJson(Buffer.from(sent.text), MAX_JSON)) {
    return { is: 'unreadable', why: 'it sent more values than prices have, or nests them too deeply' }
  }
  try {
    const page = readAnswer(sent, JSON.parse(sent.text))
    const { timestamps, values } = page.records
    for (const column of [timestamps, ...Object.values(values)]) transfer(column.buffer)
    return { is: 'read', page }
  } catch (error) {
    if (error instanceof UnreadablePage) return { is: 'unreadable', why: error.message }
    if (error instanceof SyntaxError) return { is: 'not JSON' }
    throw error
  }
}
