import type { ProviderDefinition } from '../../market-data/provider-definition.ts'
import type { HttpClient } from '../http/http-client.ts'
import { HttpFailure } from '../http/http-failure.ts'
import { readPath } from './json-path.ts'
import { readRecords, type SentRecords } from './records.ts'
import { callFor, type Question } from './request.ts'

/** A definition that pages in circles must end some time. */
const MAX_PAGES = 1_000

/** All pages of one window. */
export async function fetchPages(
  http: HttpClient,
  definition: ProviderDefinition,
  question: Question,
  signal: AbortSignal,
): Promise<SentRecords[]> {
  const { path, query } = callFor(definition, question)
  const pages: SentRecords[] = []
  let place: string | number | undefined = firstPlace(definition)
  while (pages.length < MAX_PAGES) {
    const parameter =
      definition.paging.type === 'none' || place === undefined ? {} : { [definition.paging.parameter]: place }
    const answer = await http.json({ path, query: { ...query, ...parameter }, signal })
    const page = readRecords(definition, answer, question.symbol)
    pages.push(page)
    const next = nextPlace(definition, place, answer, page)
    if (next === undefined || next === place) return pages
    place = next
  }
  throw new HttpFailure('malformed', `it has more than ${MAX_PAGES} pages for one question`)
}

function firstPlace({ paging }: ProviderDefinition): number | undefined {
  if (paging.type === 'page') return paging.firstPage
  return paging.type === 'offset' ? 0 : undefined
}

/** Pages and offsets end with an empty page, cursors when there is none. */
function nextPlace(
  { paging }: ProviderDefinition,
  place: string | number | undefined,
  answer: unknown,
  { timestamps }: SentRecords,
): string | number | undefined {
  if (paging.type === 'cursor') {
    const cursor = readPath(answer, paging.path)
    return (typeof cursor === 'string' || typeof cursor === 'number') && cursor !== '' ? cursor : undefined
  }
  if (paging.type === 'none' || timestamps.length === 0) return undefined
  return Number(place) + (paging.type === 'page' ? 1 : timestamps.length)
}
