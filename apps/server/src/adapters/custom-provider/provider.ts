import { createHash } from 'node:crypto'
import { granularities } from '@tradewright/core/granularity'
import { MINUTE, type UtcMillis } from '@tradewright/core/time'
import type {
  FetchRequest,
  MarketDataProvider,
  ProviderLimits,
  TickerResult,
} from '@tradewright/engine/market/provider'
import type { Holder } from '../../market-data/custom-providers/ports.ts'
import type { SentRecords } from '../../market-data/custom-providers/records.ts'
import type { ProviderDefinition } from '../../market-data/provider-definition.ts'
import { HttpFailure } from '../http/http-failure.ts'
import { type HttpClient, httpClient, type HttpSurroundings } from '../http/http-client.ts'
import { callWindows, refusalByLimits, withinReach } from '../market-data/call-windows.ts'
import { nothingInRange, unknownTicker } from '../market-data/delivery.ts'
import { inBatches, oneByOne } from '../market-data/in-batches.ts'
import type { ReadPage } from './page-reader.ts'
import { symbolOf, callFor, type Question } from './request.ts'
import { edgeAfter, type Sending, toResult } from './to-result.ts'
import { firstPlace, type Place } from '../../market-data/custom-providers/page.ts'

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
