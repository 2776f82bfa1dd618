import { type Granularity, granularities } from '@tradewright/core/granularity'
import { isObservation, tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import { MINUTE, type TimeRange } from '@tradewright/core/time'
import { normalise } from '@tradewright/engine/market/layers/normalise'
import { stampAsInstant, stampAsUtcDay } from '@tradewright/engine/market/layers/stamps'
import type {
  FetchRequest,
  MarketDataProvider,
  ProviderLimits,
  TickerResult,
} from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import type { ProviderDefinition } from '../../market-data/provider-definition.ts'
import { HttpFailure } from '../http/http-failure.ts'
import { type HttpClient, httpClient, type HttpSurroundings } from '../http/http-client.ts'
import { callWindows, refusalByLimits, withinReach } from '../market-data/call-windows.ts'
import { delivery, nothingInRange, unknownTicker } from '../market-data/delivery.ts'
import { inBatches, oneByOne } from '../market-data/in-batches.ts'
import { unfinishedFrom } from '../market-data/unfinished.ts'
import { fetchPages } from './pages.ts'
import type { SentRecords } from './records.ts'
import { symbolOf } from './request.ts'

/** A definition as a provider. The surroundings must bring the guarded transport: the address was chosen by a user. */
export function customProvider(
  definition: ProviderDefinition,
  apiKey: string | undefined,
  surroundings: HttpSurroundings,
): MarketDataProvider {
  const limits = limitsOf(definition)
  const http = clientFor(definition, apiKey, surroundings)
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
      inBatches(definition, oneByOne(request.tickers), signal, async ([ticker]) => [
        await fetchTicker({ definition, limits, http, signal, now: surroundings.timing.now() }, request, ticker!),
      ]),
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

function clientFor(
  definition: ProviderDefinition,
  apiKey: string | undefined,
  surroundings: HttpSurroundings,
): HttpClient {
  const { auth, id, limits } = definition
  const key = apiKey ?? ''
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
      bucket: surroundings.buckets.of(`custom:${id}:${definition.baseUrl}`, {
        calls: limits.callsPerMinute,
        windowMillis: MINUTE,
      }),
    },
    surroundings,
  )
}

interface Fetching {
  readonly definition: ProviderDefinition
  readonly limits: ProviderLimits
  readonly http: HttpClient
  readonly signal: AbortSignal
  readonly now: number
}

async function fetchTicker(fetching: Fetching, request: FetchRequest, ticker: string): Promise<TickerResult> {
  const { definition, limits, now } = fetching
  const refusal = refusalByLimits(definition, limits, { ticker, ...request }, now)
  if (refusal) return refusal
  try {
    const sent = await fetchWindows(fetching, request, symbolOf(definition, ticker))
    if (sent.every(({ timestamps }) => timestamps.length === 0))
      return nothingInRange(definition, ticker, request.range)
    return toResult(definition, request, ticker, sent, now)
  } catch (error) {
    if (error instanceof HttpFailure && error.kind === 'not-found') return unknownTicker(definition, ticker)
    throw error
  }
}

async function fetchWindows(
  { definition, http, signal, now }: Fetching,
  { granularity, range }: FetchRequest,
  symbol: string,
) {
  const { daysBack, daysPerCall } = definition.limits
  const reach: TimeRange = withinReach({ from: range.from, to: Math.min(range.to, now) }, daysBack, now)
  const windows: SentRecords[][] = []
  for (const window of callWindows(reach, daysPerCall)) {
    windows.push(await fetchPages(http, definition, { symbol, granularity, range: window }, signal))
  }
  // Where rows come newest first, so must their windows.
  return (definition.records.newestFirst ? windows.toReversed() : windows).flat()
}

function toResult(
  definition: ProviderDefinition,
  { granularity, range, categories }: FetchRequest,
  ticker: string,
  sent: readonly SentRecords[],
  now: number,
): TickerResult {
  const type = tickerKind(ticker)
  const bronze = toBronze(definition, { ticker, granularity, type, collectedAt: now }, sent)
  const unfinished = unfinishedFrom(type, granularity, now)
  const { silver, refused } = normalise(bronze, {
    ticker,
    type,
    categories: ourNames(definition, type),
    stamp: granularity === '1d' ? stampAsUtcDay : stampAsInstant,
    range,
    newestFirst: definition.records.newestFirst,
    ...(unfinished === undefined ? {} : { unfinishedFrom: unfinished }),
  })
  return delivery(definition, { bronze, silver, refused }, { categories, range })
}

/** A series that has one value by nature has it under `value`, whatever the definition calls it. */
function ourNames({ records }: ProviderDefinition, type: TickerKind): Record<string, string> {
  const names = Object.keys(records.values)
  if (isObservation(type) && names.length === 1) return { [names[0]!]: 'value' }
  return Object.fromEntries(names.map((name) => [name, name]))
}

interface Sender {
  readonly ticker: string
  readonly granularity: Granularity
  readonly type: TickerKind
  readonly collectedAt: number
}

function toBronze(definition: ProviderDefinition, sender: Sender, sent: readonly SentRecords[]): SeriesBlock {
  const column = (name: string) => Float64Array.from(sent.flatMap(({ values }) => values[name] ?? []))
  return {
    ticker: symbolOf(definition, sender.ticker),
    granularity: sender.granularity,
    provider: definition.id,
    type: sender.type,
    currency: definition.currency,
    collectedAt: sender.collectedAt,
    timestamps: Float64Array.from(sent.flatMap(({ timestamps }) => timestamps)),
    columns: Object.fromEntries(Object.keys(definition.records.values).map((name) => [name, column(name)])),
  }
}
