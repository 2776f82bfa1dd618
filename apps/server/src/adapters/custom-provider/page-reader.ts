import { type Page, readAnswer, type SentPage } from '../../market-data/custom-providers/page.ts'
import type { PageReading } from '../../market-data/custom-providers/read-page-task.ts'
import { UnreadablePage } from '../../market-data/custom-providers/records.ts'
import { HttpFailure } from '../http/http-failure.ts'
import { notJson, parseJson } from '../http/limited-body.ts'

/** Reads a page, here or on another thread. What does not fit the definition is an `HttpFailure`. */
export type ReadPage = (page: SentPage, signal: AbortSignal) => Promise<Page>

/** Read within a few milliseconds; larger bodies go to a compute thread, so that other requests are not held up. */
const READ_HERE = 128 * 1024

/** Small pages are read at once, large ones by a compute thread. */
export const pageReader =
  (readElsewhere: (page: SentPage, signal: AbortSignal) => Promise<PageReading>): ReadPage =>
  async (page, signal) => {
    if (page.text.length <= READ_HERE) return readHere(page)
    const reading = await readElsewhere(page, signal)
    if (reading.is === 'unreadable') throw new HttpFailure('malformed', reading.why)
    if (reading.is === 'not JSON') throw notJson(page.text)
    return reading.page
  }

export function readHere(page: SentPage): Page {
  const answer = parseJson(page.text)
  try {
    return readAnswer(page, answer)
  } catch (error) {
    throw error instanceof UnreadablePage ? new HttpFailure('malformed', error.message) : error
  }
}
