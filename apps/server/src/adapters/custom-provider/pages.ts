import { firstPlace, type Place } from '../../market-data/custom-providers/page.ts'
import type { SentRecords } from '../../market-data/custom-providers/records.ts'
import type { ProviderDefinition } from '../../market-data/provider-definition.ts'
import type { HttpClient } from '../http/http-client.ts'
import { HttpFailure } from '../http/http-failure.ts'
import type { ReadPage } from './page-reader.ts'
import { callFor, type Question } from './request.ts'

/** Limits per ticker: a definition that pages in circles must end some time. */
const MAX_PAGES = 1_000
const MAX_MEGABYTES = 256
/** A cursor becomes part of the next address. */
const MAX_CURSOR_LENGTH = 2_000

export interface Paging {
  readonly http: HttpClient
  readonly definition: ProviderDefinition
  readonly readPage: ReadPage
  readonly budget: PageBudget
  readonly signal: AbortSignal
}

/** Counts over all windows of one ticker. */
export class PageBudget {
  #pages = 0
  #bytes = 0

  spend(bytes: number): void {
    this.#bytes += bytes
    if (++this.#pages > MAX_PAGES) {
      throw new HttpFailure('malformed', `it has more than ${MAX_PAGES.toLocaleString('en-US')} pages of one ticker`)
    }
    if (this.#bytes > MAX_MEGABYTES * 1024 * 1024) {
      throw new HttpFailure('malformed', `it sent more than ${MAX_MEGABYTES} MB of one ticker`)
    }
  }
}

/** The pages of one window, one at a time: the next is asked for when the one before has been used. */
export async function* fetchPages(
  { http, definition, readPage, budget, signal }: Paging,
  question: Question,
): AsyncGenerator<SentRecords> {
  const { path, query } = callFor(definition, question)
  let place: Place | undefined = firstPlace(definition)
  do {
    const parameter =
      definition.paging.type === 'none' || place === undefined ? {} : { [definition.paging.parameter]: place }
    const text = await http.text({ path, query: { ...query, ...parameter }, signal })
    budget.spend(Buffer.byteLength(text))
    const { records, next } = await readPage({ definition, symbol: question.symbol, place, text }, signal)
    yield records
    if (typeof next === 'string' && next.length > MAX_CURSOR_LENGTH) {
      throw new HttpFailure(
        'malformed',
        `its cursor has more than ${MAX_CURSOR_LENGTH.toLocaleString('en-US')} characters`,
      )
    }
    place = next
  } while (place !== undefined)
}
