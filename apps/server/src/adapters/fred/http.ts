import { DAY, epochDayOf, formatDate, MINUTE, SECOND, type TimeRange } from '@tradewright/core/time'
import { HttpFailure } from '../http/http-failure.ts'
import { type HttpClient, httpClient, type HttpSurroundings } from '../http/http-client.ts'
import { type DatedValue, parseFredCsv } from './csv.ts'
import { type FredObservation, FredObservations, FredRefusal } from './schema.ts'
import { PageCount } from '../../page-count.ts'

export interface FredSettings {
  readonly jsonUrl: string
  readonly csvUrl: string
  /** Undefined: the keyless CSV, which knows no publication dates. */
  readonly apiKey: string | undefined
}

export interface FredHttp {
  /** Undefined when FRED does not know the series. */
  observations(seriesId: string, range: TimeRange, signal: AbortSignal): Promise<DatedValue[] | undefined>
  /** Every value that an observation ever had, with the day it was published; undefined when that cannot be had. */
  vintages?(seriesId: string, range: TimeRange, signal: AbortSignal): Promise<FredObservation[] | undefined>
}

const PAGE = 100_000
const MAX_PAGES = 100

export const fredHttp = (settings: FredSettings, surroundings: HttpSurroundings): FredHttp =>
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
