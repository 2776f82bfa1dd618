import type {
  MarketDataProvider,
  FetchRequest,
  TickerResult,
  ProviderLimits,
} from '@tradewright/engine/market/provider'
import {
  DAY,
  SECOND,
  type TimeRange,
  HOUR,
  type UtcMillis,
  epochDayOf,
  formatDate,
  MINUTE,
  dayStamp,
  parseDate,
} from '@tradewright/core/time'
import {
  type Category,
  observationCategory,
  releaseCategories,
  priorCategory,
  revisionCategory,
  revisionsCategory,
  UNKNOWN_RELEASE,
} from '@tradewright/core/category'
import { fredSeriesId } from '@tradewright/core/ticker-kind'
import { inferFrequency, type Frequency, publishedAt } from '@tradewright/engine/market/known-at'
import { normalise, rowsInRange, takeRows, stampAsUtcDay } from '@tradewright/engine/market/layers/rows'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { coinalyzeProvider } from '../coinalyze/provider.ts'
import { coinbaseProvider } from '../coinbase/provider.ts'
import { type HttpSurroundings, type HttpClient, httpClient } from '../http/http-client.ts'
import { yahooProvider } from '../yahoo/provider.ts'
import { untilAborted } from '../../until-aborted.ts'
import { inBatches, oneByOne, refusalByLimits, delivery, unknownTicker } from './delivery.ts'
import { HttpFailure } from '../http/http-failure.ts'
import { PageCount } from '../../page-count.ts'

const Observation = z.object({ realtime_start: z.string(), date: z.string(), value: z.string() })

const FredObservations = z.object({ count: z.number(), observations: z.array(Observation) })

/** An unknown series and a wrong key are both HTTP 400; only the words tell them apart. */
const FredRefusal = z.object({ error_code: z.number(), error_message: z.string() })

type FredObservation = z.infer<typeof Observation>

interface FredSettings {
  readonly jsonUrl: string
  readonly csvUrl: string
  /** Undefined: the keyless CSV, which knows no publication dates. */
  readonly apiKey: string | undefined
}

interface FredHttp {
  /** Undefined when FRED does not know the series. */
  observations(seriesId: string, range: TimeRange, signal: AbortSignal): Promise<DatedValue[] | undefined>
  /** Every value that an observation ever had, with the day it was published; undefined when that cannot be had. */
  vintages?(seriesId: string, range: TimeRange, signal: AbortSignal): Promise<FredObservation[] | undefined>
}

const PAGE = 100_000
const MAX_PAGES = 100

const fredHttp = (settings: FredSettings, surroundings: HttpSurroundings): FredHttp =>
  settings.apiKey === undefined
    ? csvHttp(settings.csvUrl, surroundings)
    : jsonHttp(settings.jsonUrl, settings.apiKey, surroundings)

const lastDate = ({ to }: TimeRange): string => formatDate(epochDayOf(to - 1))

function csvHttp(baseUrl: string, surroundings: HttpSurroundings): FredHttp {
  // A download link of a web page, for which no limit is published.
  const bucket = surroundings.buckets.of('fred-csv', { calls: 1, windowMillis: SECOND })
  const http = httpClient({ service: 'fred-csv', baseUrl, bucket }, surroundings)
  return {
    async observations(seriesId, range, signal) {
      const query = { id: seriesId, cosd: formatDate(epochDayOf(range.from)), coed: lastDate(range) }
      try {
        return parseFredCsv(await http.text({ path: '/graph/fredgraph.csv', query, signal }))
      } catch (error) {
        if (error instanceof HttpFailure && error.kind === 'not-found') return undefined
        throw error
      }
    },
  }
}

function jsonHttp(baseUrl: string, apiKey: string, surroundings: HttpSurroundings): FredHttp {
  const http = httpClient(
    {
      service: 'fred',
      baseUrl,
      query: { api_key: apiKey, file_type: 'json' },
      secrets: [apiKey],
      bucket: surroundings.buckets.of('fred', { calls: 120, windowMillis: MINUTE }),
      retry: { limitBackOffMillis: 20_000 },
    },
    surroundings,
  )
  return {
    observations: (seriesId, range, signal) => allPages(http, query(seriesId, range), signal),
    async vintages(seriesId, range, signal) {
      // By real-time period: one row for each value and the days on which it was the current one.
      const everyVintage = { realtime_start: '1776-07-04', realtime_end: '9999-12-31', output_type: 1 }
      try {
        return await allPages(http, { ...query(seriesId, range), ...everyVintage }, signal)
      } catch (error) {
        // Series with more than 2000 vintages, or none, are refused; the lag by frequency serves them.
        if (error instanceof HttpFailure && error.kind === 'bad-request') return undefined
        throw error
      }
    },
  }
}

const query = (seriesId: string, range: TimeRange) => ({
  series_id: seriesId,
  observation_start: formatDate(epochDayOf(Math.max(range.from, -70_000 * DAY))),
  observation_end: lastDate(range),
})

async function allPages(http: HttpClient, query: Record<string, string | number>, signal: AbortSignal) {
  const all: FredObservation[] = []
  const pages = new PageCount(MAX_PAGES, 'one series', (reason) => new HttpFailure('malformed', reason))
  for (;;) {
    pages.next()
    const page = await onePage(http, { ...query, limit: PAGE, offset: all.length }, signal)
    if (!page) return undefined
    all.push(...page.observations)
    if (page.observations.length === 0 || all.length >= page.count) return all
  }
}

async function onePage(http: HttpClient, query: Record<string, string | number>, signal: AbortSignal) {
  try {
    return FredObservations.parse(await http.json({ path: '/fred/series/observations', query, signal }))
  } catch (error) {
    const message = refusalOf(error)
    if (message === undefined) throw error
    if (/series does not exist/i.test(message)) return undefined
    if (/api_key/i.test(message)) throw new HttpFailure('auth', 'it rejected the key in FRED_API_KEY', { cause: error })
    throw new HttpFailure('bad-request', `it refused the request: ${message.replace(/\.\s*$/, '')}`, { cause: error })
  }
}

function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof HttpFailure) || error.status !== 400 || !error.body.startsWith('{')) return undefined
  try {
    return FredRefusal.safeParse(JSON.parse(error.body)).data?.error_message
  } catch {
    return undefined
  }
}

/**
 * FRED gives the day of a release and no hour. Most come at 8:30 in New York and all before the exchange closes, which
 * is at 20:00 or 21:00 UTC: a coin's day, which ends at midnight UTC, must not see them before.
 */
const RELEASE_TIME = 20 * HOUR

interface Release {
  readonly day: UtcMillis
  readonly value: number
}

/** What an observation was published as, oldest first. */
type Releases = ReadonlyMap<UtcMillis, readonly Release[]>

function releasesOf(vintages: readonly FredObservation[]): Releases {
  const releases = new Map<UtcMillis, Release[]>()
  const published = vintages
    .map(({ date, realtime_start, value }) => ({
      stamp: stampOf(date),
      day: stampOf(realtime_start),
      value: valueOf(value),
    }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => a.day - b.day)
  for (const { stamp, day, value } of published) {
    const known = releases.get(stamp) ?? []
    if (known.at(-1)?.value !== value) releases.set(stamp, [...known, { day, value }])
  }
  return releases
}

interface ReleasedSeries {
  /** First releases, from the day they were published on. */
  readonly silver: SeriesBlock
  readonly revisions: readonly SeriesBlock[]
}

/**
 * The series as it was first published. What was in the oldest vintage of the answer was published some time before FRED
 * began to keep vintages: when, and whether it had been revised by then, is not known, so the lag by frequency decides.
 */
function asFirstReleased(
  latest: SeriesBlock,
  vintages: readonly FredObservation[],
  frequency: Frequency,
): ReleasedSeries {
  const releases = releasesOf(vintages)
  const archiveStart = Math.min(...[...releases.values()].map(([first]) => first!.day))
  const rows = Array.from(latest.timestamps, (stamp, row) => {
    const own = releases.get(stamp) ?? []
    const [first] = own
    const isRecorded = first !== undefined && first.day > archiveStart
    return {
      value: first?.value ?? latest.columns['value']![row]!,
      knownAt: isRecorded ? first.day + RELEASE_TIME : publishedAt(stamp, frequency),
      revisions: isRecorded ? own.length - 1 : UNKNOWN_RELEASE,
      prior: asOfDay(releases.get(latest.timestamps[row - 1] ?? Number.NaN), first?.day),
      later: own.slice(1),
    }
  })
  const columns = {
    value: Float64Array.from(rows, ({ value }) => value),
    [revisionsCategory]: Float64Array.from(rows, ({ revisions }) => revisions),
    [priorCategory]: Float64Array.from(rows, ({ prior }) => prior),
  }
  const silver = { ...latest, columns, knownAt: Float64Array.from(rows, ({ knownAt }) => knownAt) }
  return {
    silver,
    revisions: revisionBlocks(
      latest,
      rows.map(({ later }) => later),
    ),
  }
}

/** The value that was current on a day; NaN before there was one. */
function asOfDay(releases: readonly Release[] | undefined, day: UtcMillis | undefined): number {
  if (day === undefined) return Number.NaN
  return releases?.findLast((release) => release.day <= day)?.value ?? Number.NaN
}

/** One block per revision, of the observations that were revised so often. */
function revisionBlocks(latest: SeriesBlock, later: readonly (readonly Release[])[]): SeriesBlock[] {
  const most = Math.max(0, ...later.map(({ length }) => length))
  return Array.from({ length: most }, (_, revision) => {
    const rows = [...later.keys()].filter((row) => later[row]!.length > revision)
    const releases = rows.map((row) => later[row]![revision]!)
    return {
      ...takeRows(latest, rows),
      columns: { [revisionCategory(revision + 1)]: Float64Array.from(releases, ({ value }) => value) },
      knownAt: Float64Array.from(releases, ({ day }) => day + RELEASE_TIME),
    }
  })
}

/** The series as it was revised to by now: the download without a key knows nothing else. */
function asRevised(latest: SeriesBlock, frequency: Frequency): SeriesBlock {
  const knownAt = latest.timestamps.map((stamp) => publishedAt(stamp, frequency))
  // Daily series are quotes and rates of a market: published once, and in more vintages than FRED gives out.
  if (frequency === 'daily') return { ...latest, knownAt }
  const revisions = new Float64Array(latest.timestamps.length).fill(UNKNOWN_RELEASE)
  return { ...latest, columns: { ...latest.columns, [revisionsCategory]: revisions }, knownAt }
}

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

/** The real providers that all users share. Alpaca's are made per user, whose keys they need. */
export function builtInProviders(
  { services, fredApiKey, coinalyzeApiKey }: Pick<Config, 'services' | 'fredApiKey' | 'coinalyzeApiKey'>,
  surroundings: HttpSurroundings,
): MarketDataProvider[] {
  const together = (provider: MarketDataProvider) => newestTogether(provider, () => surroundings.timing.now())
  return [
    together(yahooProvider(services.yahoo, surroundings)),
    fredProvider({ jsonUrl: services.fred, csvUrl: services.fredCsv, apiKey: fredApiKey }, surroundings),
    coinalyzeProvider({ baseUrl: services.coinalyze, apiKey: coinalyzeApiKey }, surroundings),
    together(coinbaseProvider(services.coinbase, surroundings)),
  ]
}

interface Answer {
  readonly results: Promise<readonly TickerResult[]>
  readonly until: number
}

/** As long as a quote is taken for the newest one. */
const CACHE_MS = 15 * SECOND
const MAX_FETCH = 60 * SECOND

/**
 * A shared provider gives every user the same answer, and its rate limit counts all of them together: concurrent
 * requests for the newest bars of a ticker share one answer.
 */
export function newestTogether(provider: MarketDataProvider, now: () => number): MarketDataProvider {
  const answers = new Map<string, Answer>()

  function answerFor(request: FetchRequest): Answer {
    for (const [question, { until }] of answers) if (until <= now()) answers.delete(question)
    return answers.getOrInsertComputed(JSON.stringify(request), () => ({
      results: Array.fromAsync(provider.fetch(request, AbortSignal.timeout(MAX_FETCH))),
      until: now() + CACHE_MS,
    }))
  }

  /** One that was given up is a failure like the first time: the rest of a long list is not tried in vain. */
  async function ask(request: FetchRequest, ticker: string, signal: AbortSignal): Promise<readonly TickerResult[]> {
    const results = await untilAborted(answerFor({ ...request, tickers: [ticker] }).results, signal)
    for (const result of results) if (result.outcome === 'failed') throw result.failure
    return results
  }

  return {
    ...provider,
    fetch: (request, signal) =>
      isOfNewest(request)
        ? inBatches(provider, oneByOne(request.tickers), signal, ([ticker]) => ask(request, ticker!, signal))
        : provider.fetch(request, signal),
  }
}

const isOfNewest = ({ granularity, range }: FetchRequest): boolean =>
  granularity !== '1d' && range.to - range.from <= DAY

const toBronze = (ticker: string, observations: readonly DatedValue[], collectedAt: UtcMillis): SeriesBlock => ({
  ticker: fredSeriesId(ticker),
  granularity: '1d',
  provider: 'fred',
  type: 'economic',
  currency: 'USD',
  collectedAt,
  timestamps: Float64Array.from(observations, ({ date }) => stampOf(date)),
  columns: { value: Float64Array.from(observations, ({ value }) => valueOf(value)) },
})

function stampOf(date: string): UtcMillis {
  const day = parseDate(date)
  if (day === undefined) throw new HttpFailure('malformed', `it sent "${date.slice(0, 30)}" as a date`)
  return dayStamp(day)
}

/** Missing observations are a dot in the API and in old files, and empty in new ones. */
function valueOf(text: string): number {
  if (text === '.' || text === '') return Number.NaN
  const value = Number(text)
  if (!Number.isFinite(value)) throw new HttpFailure('malformed', `it sent "${text.slice(0, 30)}" as a value`)
  return value
}

interface DatedValue {
  readonly date: string
  readonly value: string
}

/** The download behind FRED's graphs. Older files call the first column DATE. */
function parseFredCsv(text: string): DatedValue[] {
  const [header = '', ...lines] = text.trim().split(/\r?\n/)
  if (header.startsWith('<')) throw new HttpFailure('malformed', 'it sent a web page instead of data')
  if (!/^(observation_date|date),/i.test(header))
    throw new HttpFailure('malformed', 'it sent something other than its CSV')
  return lines.map((line) => {
    const [date = '', value = ''] = line.split(',')
    return { date, value }
  })
}
