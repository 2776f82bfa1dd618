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
import { fetchPages, PageBudget, type Paging } from './pages.ts'
import { inParts } from './parts.ts'
import { symbolOf } from './request.ts'
import { edgeAfter, type Sending, toResult } from './to-result.ts'

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
