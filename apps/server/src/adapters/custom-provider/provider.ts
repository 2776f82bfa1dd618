import { createHash } from 'node:crypto'
import { granularities, type Granularity } from '@tradewright/core/granularity'
import { MINUTE, type UtcMillis, DAY, epochDayOf, formatDate, SECOND, type TimeRange } from '@tradewright/core/time'
import type {
  FetchRequest,
  MarketDataProvider,
  ProviderLimits,
  TickerResult,
} from '@tradewright/engine/market/provider'
import { isObservation, tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import { noActions } from '@tradewright/engine/market/corporate-actions'
import {
  normalise,
  type StampRule,
  stampAsInstant,
  stampAsUtcDay,
  type RefusedRow,
} from '@tradewright/engine/market/layers/rows'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import type { Holder } from '../../market-data/custom-providers/custom-providers.ts'
import {
  type SentRecords,
  firstPlace,
  type Place,
  type Page,
  readAnswer,
  type SentPage,
  UnreadablePage,
} from '../../market-data/custom-providers/records.ts'
import type { ProviderDefinition, DateFormat } from '../../market-data/provider-definition.ts'
import { HttpFailure } from '../http/http-failure.ts'
import { type HttpClient, httpClient, type HttpSurroundings, type Query } from '../http/http-client.ts'
import {
  callWindows,
  refusalByLimits,
  withinReach,
  nothingInRange,
  unknownTicker,
  delivery,
  inBatches,
  oneByOne,
  unfinishedFrom,
} from '../market-data/delivery.ts'
import type { PageReading } from '../../market-data/custom-providers/read-page-task.ts'
import { notJson, parseJson } from '../http/transport.ts'

/** Limits per ticker: a definition that pages in circles must end some time. */
const MAX_PAGES = 1_000
const MAX_MEGABYTES = 256
/** A cursor becomes part of the next address. */
const MAX_CURSOR_LENGTH = 2_000

interface Paging {
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

/** Rows are handed on when there are so many: what has been sent is not held until the last page has come. */
const PART_ROWS = 50_000

interface Part {
  readonly records: SentRecords
  readonly isLast: boolean
}

/** Joins pages into parts. The last one has rows, unless no page had any. */
export async function* inParts(
  pages: AsyncIterable<SentRecords>,
  names: readonly string[],
  partRows = PART_ROWS,
): AsyncGenerator<Part> {
  let waiting: SentRecords[] = []
  let rows = 0
  for await (const page of pages) {
    if (page.timestamps.length === 0) continue
    if (rows >= partRows) {
      yield { records: joined(waiting, names), isLast: false }
      ;[waiting, rows] = [[], 0]
    }
    waiting.push(page)
    rows += page.timestamps.length
  }
  yield { records: joined(waiting, names), isLast: true }
}

function joined(pages: readonly SentRecords[], names: readonly string[]): SentRecords {
  const length = pages.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
  const join = (columnOf: (page: SentRecords) => Float64Array | undefined) => {
    const column = new Float64Array(length).fill(Number.NaN)
    let at = 0
    for (const page of pages) {
      column.set(columnOf(page) ?? [], at)
      at += page.timestamps.length
    }
    return column
  }
  return {
    timestamps: join(({ timestamps }) => timestamps),
    values: Object.fromEntries(names.map((name) => [name, join(({ values }) => values[name])])),
  }
}

export interface CustomProviderParts {
  /** They must bring the guarded transport: the address was chosen by a user. */
  readonly surroundings: HttpSurroundings
  readonly readPage: ReadPage
}

/** A definition as a provider. */
export function customProvider(
  definition: ProviderDefinition,
  holder: Holder,
  { surroundings, readPage }: CustomProviderParts,
): MarketDataProvider {
  const limits = limitsOf(definition)
  const http = clientFor(definition, holder, surroundings)
  return {
    id: definition.id,
    displayName: definition.displayName,
    providerType: definition.providerType,
    isCustom: true,
    requiresAuth: definition.auth.type !== 'none',
    synthetic: false,
    limits,
    serves: ({ kind }) => kind !== 'cash' && kind !== 'treasury_bill',
    fetch: (request, signal) =>
      inBatches(definition, oneByOne(request.tickers), signal, ([ticker]) =>
        fetchTicker(
          { http, definition, readPage, budget: new PageBudget(), signal },
          { definition, request, ticker: ticker!, now: surroundings.timing.now(), edge: undefined },
          limits,
        ),
      ),
  }
}

function limitsOf({ granularities: words, limits, records }: ProviderDefinition): ProviderLimits {
  const { daysPerCall, daysBack } = limits
  const depth = {
    ...(daysPerCall === undefined ? {} : { daysPerCall }),
    ...(daysBack === undefined ? {} : { daysBack }),
  }
  const served = granularities.filter((granularity) => words[granularity] !== undefined)
  return {
    maxTickerBatch: 1,
    callsPerMinute: limits.callsPerMinute,
    history: Object.fromEntries(served.map((granularity) => [granularity, depth])),
    supportedCategories: Object.keys(records.values),
    bulkMode: false,
  }
}

/** One answer may be so large; a part of one ticker seldom has more. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024

function clientFor(definition: ProviderDefinition, holder: Holder, surroundings: HttpSurroundings): HttpClient {
  const { auth, id, limits } = definition
  const key = holder.apiKey ?? ''
  return httpClient(
    {
      service: id,
      baseUrl: definition.baseUrl,
      headers: {
        'user-agent': 'Tradewright',
        ...definition.headers,
        ...(auth.type === 'header' ? { [auth.name]: auth.prefix + key } : {}),
      },
      query: auth.type === 'query' ? { [auth.name]: key } : {},
      secrets: [key],
      maxBytes: MAX_PAGE_BYTES,
      bucket: surroundings.buckets.of(bucketKey(definition, holder), {
        calls: limits.callsPerMinute,
        windowMillis: MINUTE,
      }),
    },
    surroundings,
  )
}

/**
 * An allowance belongs to a user's key at an address: users do not wait for, and are not slowed down by, the calls of
 * others.
 */
function bucketKey({ baseUrl, limits }: ProviderDefinition, { userId, apiKey = '' }: Holder): string {
  const key = createHash('sha256').update(apiKey).digest('hex').slice(0, 16)
  return ['custom', userId, baseUrl, key, limits.callsPerMinute].join(' ')
}

async function* fetchTicker(paging: Paging, start: Sending, limits: ProviderLimits): AsyncGenerator<TickerResult> {
  const { definition, request, ticker, now } = start
  const refusal = refusalByLimits(definition, limits, { ticker, ...request }, now)
  if (refusal) yield refusal
  else yield* fetchParts(paging, start)
}

async function* fetchParts(paging: Paging, start: Sending): AsyncGenerator<TickerResult> {
  const { definition, request, ticker, now } = start
  let edge: UtcMillis | undefined
  try {
    const names = Object.keys(definition.records.values)
    for await (const { records, isLast } of inParts(fetchWindows(paging, request, ticker, now), names)) {
      const isEmpty = records.timestamps.length === 0
      const result = isEmpty ? nothingInRange(definition, ticker, request.range) : toResult({ ...start, edge }, records)
      if (isLast) yield result
      else if (result.outcome === 'delivered') {
        yield { ...result, isPart: true }
        edge = edgeAfter(start, result.silver) ?? edge
      }
    }
  } catch (error) {
    if (!(error instanceof HttpFailure && error.kind === 'not-found')) throw error
    yield unknownTicker(definition, ticker)
  }
}

async function* fetchWindows(
  paging: Paging,
  { granularity, range }: FetchRequest,
  ticker: string,
  now: UtcMillis,
): AsyncGenerator<SentRecords> {
  const { definition } = paging
  const { daysBack, daysPerCall } = definition.limits
  const reach = withinReach({ from: range.from, to: Math.min(range.to, now) }, daysBack, now)
  // Where rows come newest first, so must their windows.
  const { newestFirst } = definition.records
  for (const window of callWindows(reach, daysPerCall, { newestFirst })) {
    yield* fetchPages(paging, { symbol: symbolOf(definition, ticker), granularity, range: window })
  }
}

interface Question {
  readonly symbol: string
  readonly granularity: Granularity
  readonly range: TimeRange
}

/** Replacements may each lengthen it. */
const MAX_SYMBOL_LENGTH = 100

export function symbolOf(definition: ProviderDefinition, ticker: string): string {
  let symbol = ticker
  for (const { from, to } of definition.tickerReplacements) {
    symbol = symbol.replaceAll(from, to)
    if (symbol.length > MAX_SYMBOL_LENGTH) {
      throw new HttpFailure('malformed', `its name for the ticker has more than ${MAX_SYMBOL_LENGTH} characters`)
    }
  }
  return symbol
}

/** The path and query of one window of one ticker. Values are encoded, so none can leave its place in the address. */
function callFor(definition: ProviderDefinition, question: Question): { path: string; query: Query } {
  const { rangeFormat, endIsInclusive } = definition
  const { from, to } = question.range
  const lastInstant = rangeFormat === 'date' && endIsInclusive ? to - DAY : to - (endIsInclusive ? SECOND : 0)
  const values: Readonly<Record<string, string>> = {
    ticker: question.symbol,
    from: WRITERS[rangeFormat](from),
    to: WRITERS[rangeFormat](Math.max(from, lastInstant)),
    granularity: definition.granularities[question.granularity] ?? question.granularity,
  }
  const fill = (template: string, encode: (text: string) => string) =>
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(values[name] ?? ''))
  const query = Object.entries(definition.query).map(([name, template]) => [name, fill(template, (text) => text)])
  return { path: fill(definition.path, encodeURIComponent), query: Object.fromEntries(query) }
}

const WRITERS = {
  date: (instant) => formatDate(epochDayOf(instant)),
  instant: (instant) => new Date(instant).toISOString(),
  'unix-seconds': (instant) => String(Math.floor(instant / SECOND)),
  'unix-millis': String,
} as const satisfies Record<DateFormat, (instant: UtcMillis) => string>

export interface Sending {
  readonly definition: ProviderDefinition
  readonly request: FetchRequest
  readonly ticker: string
  readonly now: UtcMillis
  /** The stamp at which the part before ended: the rows of this one lie beyond it. */
  readonly edge: UtcMillis | undefined
}

/** The records as sent, as bronze, and the same in our words. */
export function toResult(sending: Sending, sent: SentRecords): TickerResult {
  const { definition, request, ticker, now } = sending
  const { granularity, categories, range } = request
  const { newestFirst } = definition.records
  const type = tickerKind(ticker)
  const bronze = toBronze(sending, type, sent)
  const stamp = granularity === '1d' ? stampAsUtcDay : stampAsInstant
  const unfinished = unfinishedFrom(type, granularity, now)
  const { silver, refused } = normalise(bronze, {
    ticker,
    type,
    categories: ourNames(definition, type),
    stamp,
    range: beyondEdge(sending),
    newestFirst,
    ...(unfinished === undefined ? {} : { unfinishedFrom: unfinished }),
  })
  const allRefused = [...refusedAtEdge(sending, bronze, stamp), ...refused]
  const result = delivery(definition, { bronze, silver, refused: allRefused }, { categories, range })
  if (sending.edge === undefined || result.outcome !== 'missing') return result
  // Rows were delivered before: an empty continuation is not a missing ticker.
  return { outcome: 'delivered', ticker, bronze, silver, refused: [], actions: noActions }
}

/** The stamp that the next part must not go back to. */
export const edgeAfter = ({ definition }: Sending, { timestamps }: SeriesBlock): UtcMillis | undefined =>
  definition.records.newestFirst ? timestamps[0] : timestamps.at(-1)

function beyondEdge({ definition, request: { range }, edge }: Sending): FetchRequest['range'] {
  if (edge === undefined) return range
  return definition.records.newestFirst ? { from: range.from, to: edge } : { from: edge + 1, to: range.to }
}

/** Rows of this part that repeat, or go back behind, those of the part before. */
function refusedAtEdge({ definition, ticker, edge }: Sending, bronze: SeriesBlock, stamp: StampRule): RefusedRow[] {
  if (edge === undefined) return []
  const { newestFirst } = definition.records
  return [...bronze.timestamps].flatMap((sent, row) => {
    const timestamp = stamp(sent)
    if (newestFirst ? !(timestamp >= edge) : !(timestamp <= edge)) return []
    const reason = timestamp === edge ? 'duplicate-timestamp' : 'time-runs-backwards'
    return [{ provider: definition.id, ticker, row, timestamp, reason }]
  })
}

/** A series that has one value by nature has it under `value`, whatever the definition calls it. */
function ourNames({ records }: ProviderDefinition, type: TickerKind): Record<string, string> {
  const names = Object.keys(records.values)
  if (isObservation(type) && names.length === 1) return { [names[0]!]: 'value' }
  return Object.fromEntries(names.map((name) => [name, name]))
}

const toBronze = ({ definition, request, ticker, now }: Sending, type: TickerKind, sent: SentRecords): SeriesBlock => ({
  ticker: symbolOf(definition, ticker),
  granularity: request.granularity,
  provider: definition.id,
  type,
  currency: definition.currency,
  collectedAt: now,
  timestamps: sent.timestamps,
  columns: sent.values,
})

/** Reads a page, here or on another thread. What does not fit the definition is an `HttpFailure`. */
type ReadPage = (page: SentPage, signal: AbortSignal) => Promise<Page>

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
