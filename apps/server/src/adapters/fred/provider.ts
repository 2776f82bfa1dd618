import { type Category, observationCategory, releaseCategories } from '@tradewright/core/category'
import { fredSeriesId } from '@tradewright/core/ticker-kind'
import { DAY, type TimeRange } from '@tradewright/core/time'
import { inferFrequency } from '@tradewright/engine/market/known-at'
import { normalise } from '@tradewright/engine/market/layers/normalise'
import { rowsInRange } from '@tradewright/engine/market/layers/rows'
import { stampAsUtcDay } from '@tradewright/engine/market/layers/stamps'
import type {
  FetchRequest,
  MarketDataProvider,
  ProviderLimits,
  TickerResult,
} from '@tradewright/engine/market/provider'
import type { HttpSurroundings } from '../http/http-client.ts'
import { refusalByLimits } from '../market-data/call-windows.ts'
import { delivery, unknownTicker } from '../market-data/delivery.ts'
import { inBatches, oneByOne } from '../market-data/in-batches.ts'
import { type FredHttp, fredHttp, type FredSettings } from './http.ts'
import { toBronze } from './mapping.ts'
import { asFirstReleased, asRevised, type ReleasedSeries } from './vintages.ts'

const vendor = { id: 'fred', displayName: 'FRED' }

const limits: ProviderLimits = {
  maxTickerBatch: 1,
  callsPerMinute: 120,
  history: { '1d': {} },
  supportedCategories: [observationCategory],
  bulkMode: false,
}

/** Enough earlier observations to tell a series' frequency, even of a yearly one when a week is asked for. */
const FREQUENCY_DAYS = 800

export function fredProvider(settings: FredSettings, surroundings: HttpSurroundings): MarketDataProvider {
  const http = fredHttp(settings, surroundings)
  return {
    ...vendor,
    providerType: 'economic',
    isCustom: false,
    requiresAuth: false,
    synthetic: false,
    limits: settings.apiKey === undefined ? { ...limits, callsPerMinute: 60 } : limits,
    serves: ({ kind }) => kind === 'economic',
    fetch: (request, signal) =>
      inBatches(vendor, oneByOne(request.tickers), signal, async ([ticker]) => [
        await fetchSeries(http, request, ticker!, surroundings.timing.now(), signal),
      ]),
  }
}

/** Who asks for the values gets what is known about their releases with them. */
const withReleaseFacts = (categories: readonly Category[]): readonly Category[] =>
  categories.includes(observationCategory) ? [...categories, ...releaseCategories] : categories

async function fetchSeries(
  http: FredHttp,
  request: FetchRequest,
  ticker: string,
  now: number,
  signal: AbortSignal,
): Promise<TickerResult> {
  const refusal = refusalByLimits(vendor, limits, { ticker, ...request }, now)
  if (refusal) return refusal
  const wide: TimeRange = { from: request.range.from - FREQUENCY_DAYS * DAY, to: request.range.to }
  const observations = await http.observations(fredSeriesId(ticker), wide, signal)
  if (!observations) return unknownTicker(vendor, ticker)
  const bronze = toBronze(ticker, observations, now)
  const rules = { ticker, type: 'economic', categories: { value: 'value' }, stamp: stampAsUtcDay, range: wide } as const
  const { silver, refused } = normalise(bronze, rules)
  const frequency = inferFrequency(silver.timestamps)
  const vintages = frequency === 'daily' ? undefined : await http.vintages?.(fredSeriesId(ticker), wide, signal)
  const released: ReleasedSeries = vintages
    ? asFirstReleased(silver, vintages, frequency)
    : { silver: asRevised(silver, frequency), revisions: [] }
  return delivery(
    vendor,
    {
      bronze,
      silver: rowsInRange(released.silver, request.range),
      revisions: released.revisions.map((block) => rowsInRange(block, request.range)),
      refused: refused.filter(({ timestamp }) => timestamp >= request.range.from),
    },
    { ...request, categories: withReleaseFacts(request.categories) },
  )
}
