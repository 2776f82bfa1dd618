import type { ProviderDefinition } from '../provider-definition.ts'
import { readPath } from './json-path.ts'
import { readRecords, type SentRecords } from './records.ts'

/** Where a page begins, in the API's own words: a number, an offset or a cursor. */
export type Place = string | number

interface PageQuestion {
  readonly definition: ProviderDefinition
  readonly symbol: string
  readonly place: Place | undefined
}

/** An answer as it came. */
export interface SentPage extends PageQuestion {
  readonly text: string
}

export interface Page {
  readonly records: SentRecords
  /** Undefined: it was the last one. */
  readonly next: Place | undefined
}

/** Finds our records in an answer, and where to go on; an `UnreadablePage` says what does not fit. */
export function readAnswer({ definition, symbol, place }: PageQuestion, answer: unknown): Page {
  const records = readRecords(definition, answer, symbol)
  const next = nextPlace(definition, place, answer, records)
  return { records, next: next === place ? undefined : next }
}

export function firstPlace({ paging }: ProviderDefinition): Place | undefined {
  if (paging.type === 'page') return paging.firstPage
  return paging.type === 'offset' ? 0 : undefined
}

/** Pages and offsets end with an empty page, cursors when there is none. */
function nextPlace(
  { paging }: ProviderDefinition,
  place: Place | undefined,
  answer: unknown,
  { timestamps }: SentRecords,
): Place | undefined {
  if (paging.type === 'cursor') {
    const cursor = readPath(answer, paging.path)
    return (typeof cursor === 'string' || typeof cursor === 'number') && cursor !== '' ? cursor : undefined
  }
  if (paging.type === 'none' || timestamps.length === 0) return undefined
  return Number(place) + (paging.type === 'page' ? 1 : timestamps.length)
}
